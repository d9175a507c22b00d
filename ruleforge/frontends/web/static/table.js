// The page of a seat: asks for news, marks what may be chosen, and sends what was chosen.
// All of the table is drawn by the server; here are only clicks, keys and waiting.
"use strict";

const body = document.body;
const find = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const address = (deed) => `${location.pathname}/${deed}`;
const numbersOf = (element) => new Set((element.dataset.choices || "").split(" ").filter(Boolean));

async function post(deed, given) {
  const said = JSON.stringify({ ...given, mark: body.dataset.mark }); // of the page on which it was said
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: said };
  try {
    const reply = await fetch(address(deed), sent);
    return reply.ok ? await reply.json() : { said: ["this table is gone"] };
  } catch {
    return { said: ["nobody answers; is the server still there?"] };
  }
}

// --- a new table, on the page of the host ---

function lay(event) {
  event.preventDefault();
  const form = event.target;
  const players = form.elements.players;
  const packs = [...form.querySelectorAll("[name=pack]:checked")].map((box) => box.value);
  const order = { game: form.dataset.game, packs, people: form.elements.people.value, others: form.elements.others.value };
  if (players) order.players = Number(players.value);
  form.classList.add("busy");
  post("lay", order).then((reply) => {
    form.classList.remove("busy");
    if (!reply.go) answer(reply);
    else if (order.people !== "all") location.assign(reply.go);
    else {
      scrollTo(0, 0); // where the addresses of the seats are
      location.reload();
    }
  });
}

// --- what was picked ---

let picked = []; // elements, in the order in which they were clicked
let narrowed = null; // the numbers of offers that fit what was said, if anything was

function candidates() {
  let left = narrowed;
  for (const element of picked) {
    const own = numbersOf(element);
    left = left === null ? own : new Set([...left].filter((number) => own.has(number)));
  }
  return left;
}

function pick(element) {
  if (picked.includes(element)) {
    picked = picked.filter((other) => other !== element);
  } else {
    picked.push(element);
    if (!candidates().size) {
      narrowed = null;
      picked = [element];
    }
  }
  const left = candidates();
  if (left && left.size === 1 && picked.length) {
    const [number] = left;
    const lying = all("#table [data-choices]").filter((e) => e.getClientRects().length); // not in small print
    const named = lying.filter((e) => numbersOf(e).has(number) && !e.querySelector("[data-choices]"));
    // What names one thing alone is meant by a click on it; where something else is named, too, that is asked for.
    if (picked.length > 1 || named.every((e) => picked.includes(e))) return choose(number);
  }
  mark();
}

function forget() {
  picked = [];
  narrowed = null;
  mark();
}

function mark() {
  const left = candidates();
  const firsts = new Set(all("#asked [data-number]").map((button) => button.dataset.first));
  const begins = (element) => [element, ...element.querySelectorAll("[data-about]")].some((e) => firsts.has(e.dataset.about));
  for (const element of all("#table [data-choices]")) {
    const own = numbersOf(element);
    element.classList.toggle("picked", picked.includes(element));
    element.classList.toggle("open", left === null || [...own].some((number) => left.has(number)));
    element.classList.toggle("later", left === null && !begins(element));
    element.setAttribute("aria-pressed", picked.includes(element));
  }
  for (const button of all("#asked [data-number]")) {
    button.hidden = left !== null && !left.has(button.dataset.number);
  }
  for (const row of all("#asked .choices > li")) {
    const buttons = [...row.querySelectorAll("[data-number]")];
    row.hidden = buttons.every((button) => button.hidden);
    const folded = row.querySelector("details");
    if (folded && left !== null) folded.open = true;
  }
}

function choose(number) {
  const button = find(`#asked [data-number="${number}"]`);
  if (!button) return;
  picked = [];
  narrowed = null;
  post("choose", { text: button.dataset.text }).then(answer);
}

// --- what is said ---

function answer(reply) {
  const rows = (reply.lines || []).map((line) => {
    const row = document.createElement("p");
    row.textContent = line;
    return row;
  });
  if (rows.length && body.dataset.mark) {
    const close = document.createElement("button");
    close.type = "button";
    close.dataset.do = "hush";
    close.textContent = "×";
    close.setAttribute("aria-label", "close this answer");
    rows.unshift(close);
  }
  find("#answer").replaceChildren(...rows);
  if (reply.fits && reply.fits.length) {
    picked = [];
    narrowed = new Set(reply.fits.map(String));
    mark();
  }
}

function say(event) {
  event.preventDefault();
  const field = event.target.elements.line;
  if (!field.value.trim()) return;
  post("say", { line: field.value }).then((reply) => {
    if (!reply.lines || !reply.lines.length) field.value = "";
    answer(reply);
  });
}

function asking(on) {
  body.classList.toggle("asking", on);
  find('[data-do="ask"]').setAttribute("aria-pressed", on);
  for (const element of all("#table [data-about]:not([data-choices])")) {
    if (on) element.setAttribute("tabindex", "0");
    else element.removeAttribute("tabindex");
  }
}

function about(element) {
  asking(false);
  post("say", { line: `about ${element.dataset.about}` }).then(answer);
}

// What was picked cannot go there: the rules say why.
function refused(element) {
  const there = element.dataset.about;
  for (const number of candidates() || []) {
    const words = find(`#asked [data-number="${number}"]`).dataset.text.split(" ");
    if (words.length > 2 && picked.some((e) => words.slice(1, -1).includes(e.dataset.about))) {
      return post("say", { line: `why not ${[...words.slice(0, -1), there].join(" ")}` }).then(answer);
    }
  }
  about(element);
}

function act(name) {
  if (name === "hush") return answer({});
  if (name === "ask") return asking(!body.classList.contains("asking"));
  const deeds = { undo: ["undo", {}], greyed: ["greyed", {}], agree: ["agree", { yes: true }], refuse: ["agree", { yes: false }] };
  post(...deeds[name]).then(answer);
}

// --- news ---

const shown = new Map(); // the parts of the page as they came

function show(page) {
  body.dataset.mark = page.mark;
  const log = find("#log");
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  for (const [name, html] of Object.entries(page.parts)) {
    if (shown.get(name) === html) continue;
    shown.set(name, html);
    replace(document.getElementById(name), html);
  }
  picked = [];
  narrowed = null;
  ready();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

// The new content of a part; what was unfolded stays so, and whoever was in it by keys is not thrown out.
function replace(part, html) {
  const unfolded = new Set([...part.querySelectorAll("details[open]")].map((e) => e.parentElement.dataset.keep));
  const inside = part.contains(document.activeElement) ? document.activeElement : null;
  part.innerHTML = html;
  for (const group of part.querySelectorAll("[data-keep]")) group.firstElementChild.open = unfolded.has(group.dataset.keep);
  if (!inside) return;
  const same = ["text", "do", "about"].find((key) => inside.dataset[key]);
  const again = same && [...part.querySelectorAll(`[data-${same}]`)].find((e) => e.dataset[same] === inside.dataset[same]);
  if (again) again.setAttribute("tabindex", "0");
  (again || part).focus({ preventScroll: true });
}

function ready() {
  for (const element of all("#table [data-choices]")) {
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
  }
  mark();
  const mine = find("#asked .mine");
  document.title = document.title.replace(/^● /, "");
  if (mine) document.title = `● ${document.title}`;
}

// As soon as somebody looks at this tab, and after this many milliseconds at the latest.
function visible(most) {
  return new Promise((done) => {
    setTimeout(done, most);
    document.addEventListener("visibilitychange", done, { once: true, signal: AbortSignal.timeout(most) });
  });
}

async function listen() {
  for (let pause = 500; ; ) {
    try {
      // A browser has few lines to one server: a tab that nobody sees holds none, and looks in now and then.
      const hidden = document.hidden ? "&now=1" : "";
      const reply = await fetch(`${address("page")}?seen=${body.dataset.mark}${hidden}`);
      if (reply.status === 404) return answer({ said: ["this table is gone"] });
      if (reply.status === 200) show(await reply.json());
      body.classList.remove("cut-off");
      pause = 500;
      if (hidden) await visible(3000);
    } catch {
      body.classList.add("cut-off");
      await visible(pause);
      pause = Math.min(2 * pause, 10000);
    }
  }
}

// --- hands ---

function clicked(event) {
  const button = event.target.closest("button[data-number], button[data-do]");
  if (button) return button.dataset.do ? act(button.dataset.do) : choose(button.dataset.number);
  touched(event.target);
}

// A hand on something that lies on the table.
function touched(target) {
  const thing = target.closest("#table [data-about]");
  if (thing && body.classList.contains("asking")) return about(thing);
  const element = target.closest("#table [data-choices]");
  if (element) return pick(element);
  if (thing) return picked.length ? refused(thing) : about(thing);
}

function asked(event) {
  const thing = event.target.closest("#table [data-about]");
  if (!thing) return;
  event.preventDefault();
  about(thing);
}

function pressed(event) {
  if (event.key === "Escape") {
    asking(false);
    answer({});
    forget();
  }
  const element = event.target.closest && event.target.closest("#table [tabindex]");
  if (!element) return;
  if (event.key === "?") about(element.closest("[data-about]"));
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  touched(element);
}

if (body.dataset.mark) {
  document.addEventListener("click", clicked);
  document.addEventListener("contextmenu", asked);
  document.addEventListener("keydown", pressed);
  find("#say").addEventListener("submit", say);
  find("#log").scrollTop = find("#log").scrollHeight;
  find("#small").addEventListener("change", (event) => body.classList.toggle("all-print", event.target.checked));
  ready();
  listen();
} else {
  for (const form of all("form.game")) form.addEventListener("submit", lay);
}
