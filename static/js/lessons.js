// Lessons work without this module. It puts the focus where an answer appeared, so that it is read out and seen, and
// says where no answer came.
const trouble = document.getElementById("trouble");

document.body.addEventListener("htmx:afterRequest", (event) => {
  const level = event.target.closest(".level");
  trouble.hidden = event.detail.successful || !level;
  if (!trouble.hidden) level.querySelector(".feedback-place").after(trouble);
});

document.body.addEventListener("htmx:afterSwap", (event) => {
  const level = event.target.closest?.(".level") ?? document.getElementById(event.detail.elt.id);
  const said = level?.querySelector(".feedback");
  (said ?? level?.querySelector(".widget input"))?.focus({ preventScroll: true });
  said?.scrollIntoView({ block: "nearest" });
});
