// Practice works without this module. It counts the seconds, takes keys, has the next question ready, and puts the
// focus where something appeared.
const [trouble, gone] = ["trouble", "gone"].map((id) => document.getElementById(id));
const box = () => document.getElementById("puzzle");
const find = (what) => box().querySelector(what);
const all = (what) => [...box().querySelectorAll(what)];
const here = () => location.pathname + location.search;
let shownAt = performance.now();
let shownHere = here();
let ahead;

function lookAhead() {
  const address = find("a.next[data-ahead]")?.href;
  const read = (answer) => answer.ok && !answer.redirected && answer.text();
  const ask = () => fetch(address, { headers: { "HX-Request": "true" } }).then(read).catch(() => "");
  ahead = address && { address, answer: ask() };
}

async function goOn(event, link) {
  if (ahead?.address !== link.href || left() === 0) return; // then the server leads to the results
  event.preventDefault();
  if (ahead.isWanted) return; // pressed twice
  ahead.isWanted = true;
  const html = await ahead.answer;
  if (!html) return void location.assign(link.href);
  box().outerHTML = html;
  history.pushState({}, "", link.href);
  htmx.process(box());
  document.title = box().dataset.title;
  shownHere = here();
  shownAt = performance.now();
  ahead = null;
  runClock();
  find("h1").focus({ preventScroll: true });
  scrollTo(0, 0);
}

// The seconds left by the clock, NaN where there is none.
const left = () => Math.max(0, Math.ceil((Date.parse(find(".clock")?.dataset.ends) - Date.now()) / 1000));
let ticking;

function runClock(hasRun = false) {
  clearTimeout(ticking);
  const seconds = left();
  if (isNaN(seconds)) return;
  find(".clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds) ticking = setTimeout(runClock, 250, true);
  else if (hasRun && !box().matches(".answered")) location.assign(find(".clock").dataset.then);
}

document.addEventListener("submit", ({ target }) => {
  const seconds = target.querySelector('input[name="seconds"]');
  if (seconds) seconds.value = Math.round((performance.now() - shownAt) / 1000);
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.next");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) goOn(event, link);
});

document.body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const told = detail.xhr.status === 404 ? gone : trouble;
  for (const each of [trouble, gone]) each.hidden = detail.successful || each !== told;
  if (!detail.successful) find(".feedback-place").after(told);
});

document.body.addEventListener("htmx:afterSwap", () => {
  const said = find(".feedback, .said") ?? find(".hints li:last-child");
  (said ?? find(".widget input"))?.focus({ preventScroll: true });
  said?.scrollIntoView({ block: "nearest" });
  runClock();
  lookAhead();
});

// A link within the page changes the address too.
addEventListener("popstate", () => shownHere === here() || location.reload());

// A digit and a suit, or a capital letter, choose a tile; a digit alone, where there are tiles after a moment, the nth.
let digit = "";
let waiting;

function choose(input) {
  if (input?.disabled) return;
  input?.click();
  input?.focus({ preventScroll: true });
}

function chooseTile(code) {
  const of = all(".level .pick input").filter(({ value }) => value.split(".")[0] === code);
  // A tile to give up comes before one to take.
  const isToTake = Boolean(find('input[name="out"]:checked'));
  const free = of.find(({ type, checked }) => type === "checkbox" && !checked);
  choose(free ?? of.find(({ name }) => (name === "in") === isToTake) ?? of[0]);
}

function takeDigit() {
  clearTimeout(waiting);
  if (digit) choose(all(".level :is(.one-tap button, :is(.pick-line, .choice, .pick-row) input)")[digit - 1]);
  digit = "";
}

addEventListener("keydown", (event) => {
  const { key, target } = event;
  const field = target.closest?.("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || (field && !/radio|checkbox/.test(field.type))) return;
  if (key === "Enter") {
    if (target.closest?.("a, button, summary")) return;
    event.preventDefault();
    if (event.repeat) return; // held down: what appears would not be read
    takeDigit();
    find('a.next, button[value="answer"]')?.click();
  } else if (/^[1-9]$/.test(key)) {
    event.preventDefault();
    clearTimeout(waiting);
    digit = key;
    if (find(".level :is(.pick-keys, .pick-row)")) waiting = setTimeout(takeDigit, 700);
    else takeDigit();
  } else if (/^[mps]$/.test(key) && digit) {
    event.preventDefault();
    chooseTile(digit + key);
    digit = "";
  } else if (/^[ESWNCFP]$/.test(key) && event.shiftKey) {
    event.preventDefault();
    chooseTile(key);
  } else if (/^h$/i.test(key)) {
    find('button[value="hint"]')?.click();
  }
});

runClock();
lookAhead();
