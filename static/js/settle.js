// Makes the settlement quick: what is chosen is settled at once, what is typed after a pause, and buttons that add
// or take out a row draw the form anew in its place. Without this module the same form works, page by page.
const PAUSE = 500; // milliseconds without a keystroke before what was typed is settled
let timer;

function answer() {
  clearTimeout(timer);
  window.htmx.trigger("#settlement", "answer");
}

// The whole form changes: another game, one more winner, one gang less.
function redraw(form, values) {
  clearTimeout(timer);
  const query = new URLSearchParams([...new FormData(form), ...values]);
  return window.htmx.ajax("GET", `${form.getAttribute("hx-get")}?${query}`, {
    target: "#settle",
    select: "#settle",
    swap: "outerHTML",
    selectOOB: "#language",
  });
}

function show(id) {
  const place = document.getElementById(id);
  if (!place) return;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll(".copy")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const copy = event.target.closest(".copy");
  if (copy) {
    await navigator.clipboard.writeText(document.getElementById(copy.dataset.copies).href);
    copy.textContent = copy.dataset.done;
  }
  const button = event.target.closest("#settlement button.redraws");
  if (!button || !window.htmx) return;
  event.preventDefault();
  await redraw(button.form, [["do", button.value]]);
  const [verb] = button.value.split(":");
  const rows = document.querySelectorAll(verb.endsWith("win") ? "#wins > .row-of" : "#gangs > .row-of");
  show(verb.startsWith("add") ? rows[rows.length - 1]?.id : verb.endsWith("win") ? "wins" : "gangs");
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("#settlement");
  if (!form || !window.htmx) return;
  if (event.target.matches(".redraws, .house-rules select")) redraw(form, []);
  else answer();
});

document.addEventListener("input", (event) => {
  if (!event.target.closest("#settlement") || !event.target.matches("[type=text], [type=number]")) return;
  clearTimeout(timer);
  timer = setTimeout(answer, PAUSE);
});

// A field beside which an error now stands is marked as wrong, and no other.
function markWrong() {
  for (const error of document.querySelectorAll(".wrong")) {
    const field = document.getElementById(error.id.replace(/-error$/, ""));
    if (error.textContent) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

document.body.addEventListener("htmx:afterSettle", () => {
  markWrong();
  offerCopies();
});
offerCopies();
