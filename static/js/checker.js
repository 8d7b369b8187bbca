// Makes the checker quick: presses gather while an answer is on its way and go out together; typing waits
// for a pause. Without this module the same form works, one page for each press.
const form = document.getElementById("checker");
const trouble = document.getElementById("trouble");
const PAUSE = 300; // milliseconds without a keystroke before the text is judged

let waiting = []; // actions not yet sent
let sent = []; // actions on their way
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
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  });
  form.addEventListener("htmx:configRequest", (event) => {
    sent = waiting;
    waiting = [];
    for (const action of sent) event.detail.formData.append("do", action);
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    trouble.hidden = event.detail.successful;
    if (event.detail.successful) return;
    waiting = sent.concat(waiting);
    trouble.textContent = trouble.dataset.offline;
  });
}
