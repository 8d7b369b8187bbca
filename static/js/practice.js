// Practice works without this module. It counts the seconds, takes keys, has the next question ready before it is wanted, and
// puts the focus where something appeared.
const trouble = document.getElementById("trouble");
const gone = document.getElementById("gone");
let shownAt = performance.now();
let shownHere = location.pathname + location.search;
let ahead = null;

const box = () => document.getElementById("puzzle");
const button = (name) => box().querySelector(`button[value="${name}"]`);
const onwards = () => box().querySelector("a.next");

function lookAhead() {
  const link = onwards();
  ahead = null;
  if (!link?.hasAttribute("data-ahead")) return;
  const address = link.href;
  const answer = fetch(address, { headers: { "HX-Request": "true" } }).then((r) => (r.ok && !r.redirected ? r.text() : null));
  ahead = { address, answer: answer.catch(() => null) };
}

async function goOn(event, link) {
  if (ahead?.address !== link.href || isTimeUp()) return; // then the server leads to the results
  event.preventDefault();
  if (ahead.isWanted) return; // pressed twice
  ahead.isWanted = true;
  const html = await ahead.answer;
  if (!html) return void location.assign(link.href);
  box().outerHTML = html;
  history.pushState({}, "", link.href);
  htmx.process(box());
  document.title = box().dataset.title;
  shownHere = location.pathname + location.search;
  shownAt = performance.now();
  ahead = null;
  startClock();
  box().querySelector("h1").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function isTimeUp() {
  const clock = box().querySelector(".clock");
  return Boolean(clock) && Date.parse(clock.dataset.ends) <= Date.now();
}

function startClock() {
  const clock = box().querySelector(".clock");
  if (!clock) return;
  const ends = Date.parse(clock.dataset.ends);
  const isRunning = ends > Date.now();
  const tick = () => {
    if (!clock.isConnected) return;
    const left = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left) setTimeout(tick, 250);
    else if (isRunning && !box().classList.contains("answered")) location.assign(clock.dataset.then);
  };
  tick();
}

document.addEventListener("submit", (event) => {
  const seconds = event.target.querySelector('input[name="seconds"]');
  if (seconds) seconds.value = Math.round((performance.now() - shownAt) / 1000);
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.next");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) goOn(event, link);
});

document.body.addEventListener("htmx:afterRequest", (event) => {
  const { successful, xhr } = event.detail;
  const told = xhr.status === 404 ? gone : trouble;
  for (const each of [trouble, gone]) each.hidden = successful || each !== told;
  if (!successful) box().querySelector(".feedback-place").after(told);
});

document.body.addEventListener("htmx:afterSwap", () => {
  const said = box().querySelector(".feedback, .said");
  const hint = box().querySelector(".hints li:last-child");
  (said ?? hint ?? box().querySelector(".widget input"))?.focus({ preventScroll: true });
  (said ?? hint)?.scrollIntoView({ block: "nearest" });
  startClock();
  lookAhead();
});

// A link within the page, as to its content, changes the address too.
addEventListener("popstate", () => {
  if (location.pathname + location.search !== shownHere) location.reload();
});

// Keys: a digit chooses; after a moment without a suit it counts by itself. A digit and a suit, or a capital letter, choose a tile.
let digit = "";
let waiting = 0;

function choose(input) {
  if (!input || input.disabled) return false;
  input.click();
  input.focus({ preventScroll: true });
  return true;
}

function chooseTile(code) {
  const fields = [...box().querySelectorAll(".level .pick input")];
  const of = fields.filter((field) => field.value.split(".")[0] === code);
  // A tile to give up comes before one to take.
  const out = box().querySelector('input[name="out"]:checked');
  const wanted = of.find((field) => (field.name === "in") === Boolean(out)) ?? of[0];
  return choose(of.find((field) => field.type === "checkbox" && !field.checked) ?? wanted);
}

function chooseNumber(number) {
  const fields = [...box().querySelectorAll(".level .one-tap button, .level .pick-line input, .level .choice input, .level .pick-row input")];
  return choose(fields[number - 1]);
}

// What a digit that waits for a suit chooses by itself.
function takeDigit() {
  clearTimeout(waiting);
  if (digit) chooseNumber(Number(digit));
  digit = "";
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest?.("input, select, textarea");
  if (field && !["radio", "checkbox"].includes(field.type)) return;
  const key = event.key;
  if (key === "Enter") {
    if (event.target.closest?.("a, button, summary")) return;
    event.preventDefault();
    if (event.repeat) return; // held down: what appears would not be read
    takeDigit();
    const link = onwards();
    if (link) link.click();
    else button("answer")?.click();
  } else if (/^[1-9]$/.test(key)) {
    event.preventDefault();
    clearTimeout(waiting);
    digit = key;
    const isTiles = box().querySelector(".level .pick-keys, .level .pick-row");
    if (isTiles) waiting = setTimeout(takeDigit, 700);
    else takeDigit();
  } else if (/^[mps]$/.test(key) && digit) {
    event.preventDefault();
    clearTimeout(waiting);
    chooseTile(digit + key);
    digit = "";
  } else if (/^[ESWNCFP]$/.test(key) && event.shiftKey) {
    if (chooseTile(key)) event.preventDefault();
  } else if (key === "h" || key === "H") {
    button("hint")?.click();
  }
});

startClock();
lookAhead();
