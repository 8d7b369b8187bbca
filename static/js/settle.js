// Makes the settlement quick: what is chosen is settled at once, what is typed after a pause, and buttons that add
// or take out a row draw the form anew in its place. One question is on its way at a time; what changes meanwhile
// is put back into a form drawn anew and asked next. An answer that is behind the form says so and can't be added
// to the sheet. Without this module the same form works, page by page.
const PAUSE = 500; // milliseconds without a keystroke before what was typed is settled
let timer;
let waiting = []; // presses not yet sent
let draws = false; // whether the next answer draws the form anew
let asking = false; // whether a question is on its way
let again = false; // whether another is to follow it
let behind = false; // whether the form says something else than the last question that left
let changed = new Map(); // fields changed since then, which its answer does not know of

const settlement = () => document.getElementById("settlement");

function marked() {
  const answer = document.getElementById("answer");
  const late = behind || asking;
  answer.classList.toggle("late", late);
  document.getElementById("brief").classList.toggle("late", late);
  if (late) answer.setAttribute("aria-busy", "true");
  else answer.removeAttribute("aria-busy");
  const add = document.getElementById("add");
  if (add) add.disabled = late;
}

// Radio buttons are remembered as one field: what counts is the one chosen last.
function remember(field) {
  behind = true;
  changed.set(field.type === "radio" ? field.name : field.id, {
    id: field.id,
    value: field.value,
    checked: field.checked,
  });
  marked();
}

// Puts what was changed meanwhile back into the fields that an answer has drawn anew.
function putBack({ id, value, checked }) {
  const field = document.getElementById(id);
  if (!field || !field.closest("#settlement")) return;
  if (field.type === "radio" || field.type === "checkbox") field.checked = checked;
  else if (field.value !== value) {
    const end = value.length;
    field.value = value;
    if (field === document.activeElement && field.setSelectionRange) field.setSelectionRange(end, end);
  }
}

function trouble(kind) {
  const place = document.getElementById("trouble");
  place.hidden = !kind;
  if (kind) place.textContent = place.dataset[kind];
}

// Asks with the whole form as it is now and the presses that wait; while a question is on its way, after it.
async function ask() {
  clearTimeout(timer);
  if (asking) {
    again = true;
    return;
  }
  const form = settlement();
  const sent = waiting;
  const drawn = draws;
  const query = new URLSearchParams([...new FormData(form), ...sent.map((action) => ["do", action])]);
  [waiting, draws, again, behind, asking] = [[], false, false, false, true];
  changed = new Map();
  marked();
  let kind = "offline";
  const note = (event) => {
    if (event.detail.successful) kind = "";
    else if (event.detail.xhr.status) kind = "refused";
  };
  document.body.addEventListener("htmx:afterRequest", note);
  try {
    await window.htmx.ajax("GET", `${form.getAttribute("hx-get")}?${query}`, {
      target: drawn ? "#settle" : "#answer",
      select: drawn ? "#settle" : "#answer",
      swap: "outerHTML",
      selectOOB: drawn ? "#language,#pages" : form.getAttribute("hx-select-oob"),
    });
  } catch {
    // What went wrong is told by the event.
  }
  document.body.removeEventListener("htmx:afterRequest", note);
  asking = false;
  if (kind) {
    waiting = sent.concat(waiting);
    draws = draws || drawn;
    behind = true;
  } else {
    changed.forEach(putBack);
    if (sent.length && !changed.size) reveal(sent[sent.length - 1]);
  }
  marked();
  trouble(kind);
  if (again) await ask();
}

// A row that was added is shown, and the place of one that was taken out.
function reveal(action) {
  const [verb] = action.split(":");
  const rows = document.querySelectorAll(verb.endsWith("win") ? "#wins > .row-of" : "#gangs > .row-of");
  const id = verb.startsWith("add") ? rows[rows.length - 1]?.id : verb.endsWith("win") ? "wins" : "gangs";
  const place = document.getElementById(id);
  if (!place) return;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll(".copy")) button.hidden = false;
}

// A field beside which an error now stands is marked as wrong, and no other.
function markWrong() {
  for (const error of document.querySelectorAll(".wrong")) {
    const field = document.getElementById(error.id.replace(/-error$/, ""));
    if (error.textContent) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }
}

document.addEventListener("click", async (event) => {
  const copy = event.target.closest(".copy");
  if (copy) {
    await navigator.clipboard.writeText(document.getElementById(copy.dataset.copies).href);
    copy.textContent = copy.dataset.done;
  }
  if (event.target.closest("#brief")) document.getElementById("answer").scrollIntoView();
  const button = event.target.closest("#settlement button");
  if (!button || !window.htmx) return;
  event.preventDefault();
  if (button.matches(".redraws")) {
    waiting.push(button.value);
    draws = true;
    behind = true;
    ask();
    return;
  }
  // The button that asks for the answer leads to it; Enter, which presses the unseen one, stays in its field.
  ask();
  if (button.id === "submit") document.getElementById("answer").scrollIntoView();
});

document.addEventListener("change", (event) => {
  if (!event.target.closest("#settlement") || !window.htmx) return;
  remember(event.target);
  if (event.target.matches(".redraws, .house-rules select")) draws = true;
  ask();
});

document.addEventListener("input", (event) => {
  if (!event.target.closest("#settlement") || !event.target.matches("[type=text]") || !window.htmx) return;
  remember(event.target);
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});

document.body.addEventListener("htmx:afterSettle", () => {
  markWrong();
  offerCopies();
});
offerCopies();
