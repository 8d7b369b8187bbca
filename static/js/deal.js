// Makes the deal quick: presses gather while an answer is on its way and go out together; typing waits for a
// pause. Without this module the same form works, one page for each press.
const form = document.getElementById("deal");
const trouble = document.getElementById("trouble");
const PAUSE = 300; // milliseconds without a keystroke before the text is looked at
const STAYING = ["keys", "tools"]; // buttons that an answer changes but doesn't draw anew

let waiting = []; // actions not yet sent
let sent = []; // actions on their way
let typed = null; // what was typed since the last request left, which its answer does not know of
let place = -1; // where in the hand the last pressed tile stood
let timer;

function refresh() {
  clearTimeout(timer);
  window.htmx.trigger(form, "refresh");
}

function press(button) {
  waiting.push(button.value);
  place = [...form.querySelectorAll(".rack button")].indexOf(button);
  if (!button.classList.contains("key") || button.getAttribute("aria-disabled")) return;
  // A pressed key shows its tile in the hand at once; the answer then draws the hand anew.
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

// A tile that was taken out by keyboard hands the focus to the one that took its place.
function keepFocus() {
  if (place < 0 || document.activeElement !== document.body) return;
  const tiles = form.querySelectorAll(".rack button");
  (tiles[Math.min(place, tiles.length - 1)] || form.querySelector(".key")).focus({ preventScroll: true });
}

if (form && window.htmx) {
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=do]");
    if (!button) return;
    event.preventDefault();
    press(button);
    refresh();
  });
  form.addEventListener("input", (event) => {
    if (event.target.id !== "tiles") return;
    typed = event.target.value;
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE);
  });
  form.addEventListener("change", (event) => {
    if (event.target.id !== "tiles") refresh();
  });
  form.addEventListener("htmx:configRequest", (event) => {
    typed = null;
    sent = waiting;
    waiting = [];
    event.detail.formData.delete("do"); // htmx adds the button that has the focus
    for (const action of sent) event.detail.formData.append("do", action);
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (STAYING.includes(target.id) && renew(target, fragment)) event.detail.shouldSwap = false;
  });
  document.body.addEventListener("htmx:afterSwap", () => {
    if (typed !== null) document.getElementById("tiles").value = typed;
  });
  document.body.addEventListener("htmx:afterSettle", keepFocus);
  form.addEventListener("htmx:afterRequest", (event) => {
    trouble.hidden = event.detail.successful;
    if (event.detail.successful) return;
    waiting = sent.concat(waiting);
    trouble.textContent = trouble.dataset.offline;
  });
}
