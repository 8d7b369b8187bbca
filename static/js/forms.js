// The forms with tile keys and the settlement work without this module, page by page. With it presses gather
// while an answer is on its way, and typing waits for a pause. What changes meanwhile is put back into what is drawn
// anew; what got no answer is asked again with the next press or connection.
const FORM = "form[data-text], #settlement"; // data-text names the field with the tiles
const form = () => document.querySelector(FORM); // may be drawn anew
const byId = (id) => document.getElementById(id);
const all = (what, within = document) => [...within.querySelectorAll(what)];
const PAUSE = byId("settlement") ? 500 : 300; // milliseconds after what was typed

let timer;
let waiting = []; // presses without an answer yet
let changed = new Map(); // fields that changed since the last answer
let draws = false; // whether the settlement's form is to be drawn anew
let asking = false;
let again = false; // whether to ask again after the answer
let asked = false; // ever
let trouble = ""; // with the last question
let place = -1; // where in the hand the last pressed tile stood
let home = ""; // the heading of the answer with the last pressed button
const coming = []; // tiles without a place yet, and where they are seen

// What has no answer yet is kept with the page's address, should the page be left and opened again.
let store = {};
try {
  store = sessionStorage;
} catch {} // nothing is kept

function mark() {
  const isOpen = waiting.length + changed.size > 0;
  const kept = JSON.stringify({ at: location.search, waiting, changed: [...changed] });
  if (isOpen && trouble !== "refused") store[location.pathname] = kept;
  else delete store[location.pathname];
  if (!byId("brief")) return;
  // A settlement behind the form can't be added to the sheet.
  const late = isOpen || asking;
  for (const id of ["answer", "brief"]) byId(id).classList.toggle("late", late);
  byId("answer").ariaBusy = late || null;
  if (byId("add")) byId("add").disabled = late;
}

function takeUp() {
  const kept = JSON.parse(store[location.pathname] ?? "{}");
  if (kept.at !== location.search) return;
  waiting = kept.waiting;
  changed = new Map(kept.changed);
  changed.forEach(putBack);
  draws = true;
  ask();
}

// Radio buttons are one field: the one chosen last counts.
function remember({ id, name, type, value, checked }) {
  changed.set(type === "radio" ? name : id, { id, value, checked });
  mark();
}

function putBack({ id, value, checked }) {
  const field = byId(id);
  if (field?.closest(FORM)) Object.assign(field, { value, checked });
}

// Asks with the whole form and the presses that wait; while a question is on its way, after it.
async function ask() {
  clearTimeout(timer);
  again = asking;
  if (asking) return;
  const sent = waiting.length;
  const whole = draws && byId("settle");
  const own = (name) => form().getAttribute(`hx-${name}`);
  const parts = ["target", "select", "select-oob"].map(own);
  const [target, select, selectOOB] = whole ? ["#settle", "#settle", "#language,#pages,#announce:innerHTML"] : parts;
  const query = new URLSearchParams([...new FormData(form()), ...waiting.map((press) => ["do", press])]);
  // A field may show what the answer won't say: then all is drawn anew.
  if ([...changed.values()].some(({ id }) => id !== "mode-tile")) query.delete("shows");
  for (const field of changed.values()) field.isSent = true;
  draws = false;
  asking = asked = true;
  mark();
  trouble = "offline"; // unless htmx says otherwise
  await htmx.ajax("GET", `${own("get")}?${query}`, { target, select, selectOOB, swap: "outerHTML" }).catch(() => {});
  asking = false;
  if (trouble) draws ||= whole;
  else {
    const last = waiting.splice(0, sent).at(-1);
    changed.forEach((field, name) => (field.isSent ? changed.delete(name) : putBack(field)));
    if (!changed.size) reveal(last);
  }
  mark();
  const told = byId("trouble");
  told.hidden = !trouble;
  if (trouble) told.textContent = told.dataset[trouble];
  if (again) ask();
}

// A press goes with the mode of its moment, whatever is chosen while it waits; the next one adds a tile.
function press(button) {
  const [verb, code] = button.value.split(":");
  const mode = form().elements.mode?.value; // of the checker alone
  waiting.push(verb === "key" && mode ? `${mode}:${code}` : button.value);
  draws ||= button.matches(".redraws");
  place = all(".rack button").indexOf(button);
  home = button.closest(".answer")?.querySelector("h2").id ?? "";
  mark();
  if (verb !== "key" || button.ariaDisabled) return;
  if (!mode || mode === "tile") show(button.querySelector("svg"));
  const tile = byId("mode-tile");
  if (!tile) return;
  tile.checked = true;
  remember(tile);
}

// A pressed key shows its tile at the hand's end at once; the answer has each tile in its place.
function show(face) {
  const tile = face.cloneNode(true);
  all(".rack .concealed")[0]?.append(tile);
  move(tile, face.getBoundingClientRect());
  tile.classList.add("coming");
}

function move(tile, from) {
  if (!tile || matchMedia("(prefers-reduced-motion)").matches) return;
  const to = tile.getBoundingClientRect();
  tile.animate({ transform: [`translate(${from.x - to.x}px, ${from.y - to.y}px)`, "none"] }, 160);
}

// Pointing at a clause, or coming to its link, raises its tiles in the hand.
function raise({ target }) {
  for (const tile of all(".pointed")) tile.classList.remove("pointed");
  const clause = target.closest(".findings li");
  for (const { innerHTML } of clause ? all(".tile", clause) : []) {
    const tiles = all(".shown .hand .tile:not(.pointed)", clause.closest(".answer"));
    tiles.find((tile) => tile.innerHTML === innerHTML)?.classList.add("pointed");
  }
}

// Keys and tools are changed, not drawn anew, so that none is lost under a finger. False where the answer has others.
function renew(old, answer) {
  const [parts, fresh] = [old, answer].map((side) => all("button, .left", side));
  if (String(parts.map(({ id }) => id)) !== String(fresh.map(({ id }) => id))) return false;
  parts.forEach((part, n) => {
    for (const name of ["ariaLabel", "ariaDisabled", "title"]) part[name] = fresh[n][name];
    if (!part.id) part.textContent = fresh[n].textContent;
  });
  return true;
}

// What was pressed within an answer leads to the new answer; a tile taken out by keyboard, to the one in its place.
function keepFocus() {
  const answer = byId(home);
  home = "";
  answer?.focus();
  if (answer || document.activeElement !== document.body || place < 0) return;
  const tiles = all(".rack button");
  (tiles[place] ?? tiles.at(-1) ?? all(".key")[0]).focus({ preventScroll: true });
}

// A row that was added to a settlement is shown, and the place of one that was taken out.
function reveal(action) {
  const [, verb, kind] = /^(add|drop)-(win|gang)/.exec(action) ?? [];
  const shown = verb === "add" ? all(`#${kind}s > .row-of`).at(-1) : byId(`${kind}s`);
  shown?.focus({ preventScroll: true });
  shown?.scrollIntoView({ block: "nearest" });
}

// Fields beside which an error stands are marked as wrong; copying is offered where the browser can.
function tidy() {
  for (const error of all(".wrong[id]")) {
    const field = byId(error.id.replace("-error", ""));
    if (field) field.ariaInvalid = error.textContent ? "true" : null;
  }
  for (const button of all(".copy, #share")) button.hidden = !navigator.clipboard;
}

document.addEventListener("click", async ({ target }) => {
  const copy = target.closest(".copy, #share");
  if (!copy) return;
  await navigator.clipboard.writeText((byId(copy.dataset.copies) ?? location).href);
  copy.textContent = copy.dataset.done;
});
tidy();

const on = (event, act) => form() && window.htmx && document.body.addEventListener(event, act);

on("click", (event) => {
  // Enter presses another button and stays in its field.
  if (event.target.closest("#brief, #submit")) byId("answer").scrollIntoView();
  const button = event.target.closest(FORM) && event.target.closest("[type=submit]");
  if (!button) return;
  event.preventDefault();
  if (button.name) press(button);
  ask();
});
on("input", ({ target }) => {
  if (!target.closest(FORM) || target.type !== "text") return;
  remember(target);
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
on("change", ({ target }) => {
  if (!target.closest(FORM) || target.id === form().dataset.text) return;
  remember(target);
  draws ||= target.matches(".redraws, .house-rules select");
  ask();
});
on("htmx:afterRequest", ({ detail }) => {
  trouble = detail.successful ? "" : detail.xhr.status ? "refused" : "offline";
});
on("htmx:oobBeforeSwap", ({ detail }) => {
  const { target, fragment } = detail;
  if (target.matches("#keys, .row, #tools") && renew(target, fragment)) detail.shouldSwap = false;
  for (const tile of all(".coming", target)) coming.push([tile.innerHTML, tile.getBoundingClientRect()]);
  // What was open stays open.
  for (const { id } of all("#table-rules details[open]")) fragment.querySelector(`#${id}`)?.setAttribute("open", "");
});
on("htmx:afterSwap", () => {
  const tiles = all(".rack .held .tile");
  for (const [face, from] of coming.splice(0)) move(tiles.findLast((tile) => tile.innerHTML === face), from);
});
on("htmx:afterSettle", keepFocus);
on("htmx:afterSettle", tidy);
on("pointerover", raise);
on("focusin", raise);
addEventListener("online", () => trouble && ask());
// A step back taken before htmx listens would leave the address and the page at odds.
addEventListener("load", () => {
  const { name } = performance.getEntriesByType("navigation")[0];
  if (!asked && new URL(name).search !== location.search) location.reload();
});
takeUp();
