// Lessons work without this module. It puts the focus where an answer appeared, and says where none came.
const trouble = document.getElementById("trouble");

document.body.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const level = target.closest(".level");
  trouble.hidden = detail.successful || !level;
  if (!trouble.hidden) level.querySelector(".feedback-place").after(trouble);
});

document.body.addEventListener("htmx:afterSwap", ({ target, detail }) => {
  const level = target.closest?.(".level") ?? document.getElementById(detail.elt.id);
  const said = level?.querySelector(".feedback");
  (said ?? level?.querySelector(".widget input"))?.focus({ preventScroll: true });
  said?.scrollIntoView({ block: "nearest" });
});
