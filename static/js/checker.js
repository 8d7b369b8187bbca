// Makes the checker quick: presses gather while an answer is on its way and go out together; typing waits
// for a pause. Without this module the same form works, one page for each press.
const form = document.getElementById("checker");
const trouble = document.getElementById("trouble");
const PAUSE = 300; // milliseconds without a keystroke before the text is judged

let waiting = []; // actions not yet sent
let sent = []; // actions on their way
let chosen = new Map(); // fields changed since the last request left, which its answer does not know of
let timer;

function refresh() {
  clearTimeout(timer);
  window.htmx.trigger(form, "refresh");
}

// A pressed key shows its tile in the hand at once; the answer then draws the hand anew.
function show(button) {
  const rack = form.querySelector(".rack .concealed");
  if (!rack || !button.value.startsWith("key:") || button.getAttribute("aria-disabled")) return;
  if (form.elements.mode.value !== "tile") return;
  const tile = button.querySelector("svg").cloneNode(true);
  tile.classList.add("coming");
  rack.append(tile);
}

// The keys stay in their place while an answer comes, so that none is lost under a finger: they take over what
// changed. False where the answer has other keys.
function renew(keys, answer) {
  const fresh = answer.querySelectorAll("button");
  const old = keys.querySelectorAll("button");
  if (fresh.length !== old.length || [...old].some((key, n) => key.id !== fresh[n].id)) return false;
  old.forEach((key, n) => {
    for (const name of ["aria-label", "aria-disabled", "title"]) {
      if (fresh[n].hasAttribute(name)) key.setAttribute(name, fresh[n].getAttribute(name));
      else key.removeAttribute(name);
    }
    key.querySelector(".left").textContent = fresh[n].querySelector(".left").textContent;
  });
  return true;
}

// Puts what was chosen meanwhile back into the fields that an answer has drawn anew.
function choose(id, field) {
  const drawn = document.getElementById(id);
  if (!drawn || drawn === field) return;
  if (field.type === "radio" || field.type === "checkbox") drawn.checked = field.checked;
  else drawn.value = field.value;
}

if (form && window.htmx) {
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=do]");
    if (!button) return;
    event.preventDefault();
    waiting.push(button.value);
    show(button);
    refresh();
  });
  form.addEventListener("input", (event) => {
    if (event.target.id !== "hand") return;
    chosen.set("hand", event.target);
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  });
  form.addEventListener("change", (event) => {
    if (event.target.id === "hand") return;
    chosen.set(event.target.id, event.target);
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
    if (target.id === "keys" && renew(target, fragment)) event.detail.shouldSwap = false;
  });
  document.body.addEventListener("htmx:afterSwap", () => chosen.forEach((field, id) => choose(id, field)));
  form.addEventListener("htmx:afterRequest", (event) => {
    trouble.hidden = event.detail.successful;
    if (event.detail.successful) return;
    waiting = sent.concat(waiting);
    trouble.textContent = trouble.dataset.offline;
  });
}
