// Runs the search of the built site as a browser does: `node site_search.js SITE QUERY...` prints the pages found.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [site, ...queries] = process.argv.slice(2);
const index = JSON.parse(fs.readFileSync(path.join(site, "search.json"), "utf8"));
const workers = path.join(site, "assets", "javascripts", "workers");
const worker = fs.readdirSync(workers).find((name) => name.startsWith("search."));
const [SET_UP, READY, QUERY] = [0, 1, 2];
const found = {};

function ask() {
  const query = queries.shift();
  if (query === undefined) return console.log(JSON.stringify(found));
  globalThis.self.postMessage = ({ data }) => {
    found[query] = data.items.map(({ id }) => index.items[id].location);
    ask();
  };
  globalThis.self.onmessage({ data: { type: QUERY, data: { input: query } } });
}

globalThis.self = {
  postMessage: ({ type }) => (type === READY ? ask() : process.exit(1)),
};
vm.runInThisContext(fs.readFileSync(path.join(workers, worker), "utf8"));
globalThis.self.onmessage({ data: { type: SET_UP, data: index } });
