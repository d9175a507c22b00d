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
    if (reply.go) {
      window.open(reply.go, "_blank", "noopener");
      location.reload();
    } else answer(reply);
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
    const named = all("#table [data-choices]").filter((e) => numbersOf(e).has(number) && !e.querySelector("[data-choices]"));
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
  for (const element of all("#table [data-choices]")) {
    const own = numbersOf(element);
    element.classList.toggle("picked", picked.includes(element));
    element.classList.toggle("open", left === null || [...own].some((number) => left.has(number)));
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
  const box = find("#answer");
  box.replaceChildren(
    ...(reply.said || []).map((line) => {
      const row = document.createElement("p");
      row.textContent = line;
      return row;
    }),
  );
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
    if (!reply.said || !reply.said.length) field.value = "";
    answer(reply);
  });
}

function act(name) {
  const deeds = { undo: ["undo", {}], greyed: ["greyed", {}], agree: ["agree", { yes: true }], refuse: ["agree", { yes: false }] };
  post(...deeds[name]).then(answer);
}

// --- news ---

const shown = new Map(); // the parts of the page as they came

function show(page) {
  body.dataset.mark = page.mark;
  for (const [name, html] of Object.entries(page.parts)) {
    if (shown.get(name) === html) continue;
    shown.set(name, html);
    document.getElementById(name).innerHTML = html;
  }
  picked = [];
  narrowed = null;
  ready();
}

function ready() {
  for (const element of all("#table [data-choices]")) {
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
  }
  mark();
  const log = find("#log");
  log.scrollTop = log.scrollHeight;
  const mine = find("#asked .mine");
  document.title = document.title.replace(/^● /, "");
  if (mine) document.title = `● ${document.title}`;
}

async function listen() {
  for (let pause = 500; ; ) {
    try {
      const reply = await fetch(`${address("page")}?seen=${body.dataset.mark}`);
      if (reply.status === 404) return answer({ said: ["this table is gone"] });
      if (reply.status === 200) show(await reply.json());
      body.classList.remove("cut-off");
      pause = 500;
    } catch {
      body.classList.add("cut-off");
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, 10000);
    }
  }
}

// --- hands ---

function clicked(event) {
  const button = event.target.closest("button[data-number], button[data-do]");
  if (button) return button.dataset.do ? act(button.dataset.do) : choose(button.dataset.number);
  const element = event.target.closest("#table [data-choices]");
  if (element) return pick(element);
  const about = event.target.closest("#table [data-about]");
  if (about) post("say", { line: `about ${about.dataset.about}` }).then(answer);
}

function asked(event) {
  const about = event.target.closest("#table [data-about]");
  if (!about) return;
  event.preventDefault();
  post("say", { line: `about ${about.dataset.about}` }).then(answer);
}

function pressed(event) {
  if (event.key === "Escape") forget();
  const element = event.target.closest && event.target.closest("#table [data-choices]");
  if (element && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    pick(element);
  }
}

if (body.dataset.mark) {
  document.addEventListener("click", clicked);
  document.addEventListener("contextmenu", asked);
  document.addEventListener("keydown", pressed);
  find("#say").addEventListener("submit", say);
  find("#small").addEventListener("change", (event) => body.classList.toggle("all-print", event.target.checked));
  ready();
  listen();
} else {
  for (const form of all("form.game")) form.addEventListener("submit", lay);
}
