// Makes a form with tile keys quick, the checker's and the deal's: presses gather while an answer is on its way
// and go out together; typing waits for a pause. Without this module the same form works, one page for each press.
const form = document.querySelector("form[data-text]"); // names the field with the tiles as text
const trouble = document.getElementById("trouble");
const PAUSE = 300; // milliseconds without a keystroke before the text is judged
const STAYING = ["keys", "tools"]; // buttons that an answer changes but doesn't draw anew

let waiting = []; // actions not yet sent
let sent = []; // actions on their way
let chosen = new Map(); // fields changed since the last request left, which its answer does not know of
let place = -1; // where in the hand the last pressed tile stood
let home = ""; // the heading of the answer in which the last pressed button stood
let timer;

function refresh() {
  clearTimeout(timer);
  window.htmx.trigger(form, "refresh");
}

// A press goes with the mode of its moment, whatever is chosen while it waits; the next one adds a tile.
function press(button) {
  const [verb, code] = button.value.split(":");
  const mode = form.elements.mode?.value; // of the checker alone
  waiting.push(verb === "key" && mode ? `${mode}:${code}` : button.value);
  place = [...form.querySelectorAll(".rack button")].indexOf(button);
  home = button.closest(".answer")?.querySelector("h2").id ?? "";
  if (verb !== "key" || button.getAttribute("aria-disabled")) return;
  if (!mode || mode === "tile") show(button);
  const tile = document.getElementById("mode-tile");
  if (!tile) return;
  tile.checked = true;
  remember(tile);
}

// Radio buttons are remembered as one field: what counts is the one chosen last.
function remember(field) {
  chosen.set(field.type === "radio" ? field.name : field.id, {
    id: field.id,
    value: field.value,
    checked: field.checked,
  });
}

// A pressed key shows its tile in the hand at once; the answer then draws the hand anew.
function show(button) {
  const tile = button.querySelector("svg").cloneNode(true);
  tile.classList.add("coming");
  form.querySelector(".rack .concealed")?.append(tile);
}

// Buttons take over what an answer changed in them and stay in their place, so that none is lost under a finger.
// False where the answer has other buttons.
function renew(old, answer) {
  const fresh = answer.querySelectorAll("button");
  const buttons = [...old.querySelectorAll("button")];
  if (fresh.length !== buttons.length || buttons.some((button, n) => button.id !== fresh[n].id)) return false;
  buttons.forEach((button, n) => {
    for (const name of ["aria-label", "aria-disabled", "title"]) {
      if (fresh[n].hasAttribute(name)) button.setAttribute(name, fresh[n].getAttribute(name));
      else button.removeAttribute(name);
    }
    const left = button.querySelector(".left");
    if (left) left.textContent = fresh[n].querySelector(".left").textContent;
  });
  return true;
}

// Puts what was chosen meanwhile back into the fields that an answer has drawn anew.
function choose({ id, value, checked }) {
  const drawn = document.getElementById(id);
  if (!drawn) return;
  if (drawn.type === "radio" || drawn.type === "checkbox") drawn.checked = checked;
  else drawn.value = value;
}

// What was open in the part that an answer draws anew stays open.
function keepOpen(old, answer) {
  for (const opened of old.querySelectorAll("details[open]")) {
    const fresh = answer.querySelector(`#${opened.id}`);
    if (fresh) fresh.open = true;
  }
}

// What was pressed within an answer leads to the new answer, even where the same button stands again further down.
// A tile that was taken out by keyboard hands the focus to the one that took its place.
function keepFocus() {
  const answer = home && document.getElementById(home);
  home = "";
  if (answer) {
    answer.focus();
    return;
  }
  if (document.activeElement !== document.body || place < 0) return;
  const tiles = form.querySelectorAll(".rack button");
  (tiles[Math.min(place, tiles.length - 1)] || form.querySelector(".key")).focus({ preventScroll: true });
}

// htmx answers Back and Forward by loading the page of their address. A step taken before it listens would leave
// the address and the page at odds, so they are compared once everything is there.
function followHistory() {
  let shown = new URL(performance.getEntriesByType("navigation")[0].name).search;
  const note = () => (shown = window.location.search);
  document.body.addEventListener("htmx:pushedIntoHistory", note);
  document.body.addEventListener("htmx:replacedInHistory", note);
  window.addEventListener("load", () => shown === window.location.search || window.location.reload());
}

// The link is copied where the browser can; elsewhere the sentence beside it has to do.
function offerLink() {
  const button = document.getElementById("share");
  if (button && navigator.clipboard) button.hidden = false;
}

if (form && window.htmx) {
  followHistory();
  offerLink();
  form.addEventListener("click", async (event) => {
    if (event.target.id !== "share") return;
    await navigator.clipboard.writeText(window.location.href);
    event.target.textContent = event.target.dataset.done;
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=do]");
    if (!button) return;
    event.preventDefault();
    press(button);
    refresh();
  });
  form.addEventListener("input", (event) => {
    if (event.target.id !== form.dataset.text) return;
    remember(event.target);
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  });
  form.addEventListener("change", (event) => {
    if (event.target.id === form.dataset.text) return;
    remember(event.target);
    refresh();
  });
  form.addEventListener("htmx:configRequest", (event) => {
    chosen = new Map();
    sent = waiting;
    waiting = [];
    event.detail.formData.delete("do"); // htmx adds the button that has the focus
    for (const action of sent) event.detail.formData.append("do", action);
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (STAYING.includes(target.id) && renew(target, fragment)) event.detail.shouldSwap = false;
    if (target.id === "table-rules") keepOpen(target, fragment);
  });
  document.body.addEventListener("htmx:afterSwap", () => chosen.forEach(choose));
  document.body.addEventListener("htmx:afterSettle", () => {
    keepFocus();
    offerLink();
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    trouble.hidden = event.detail.successful;
    if (event.detail.successful) return;
    waiting = sent.concat(waiting);
    trouble.textContent = trouble.dataset.offline;
  });
}
