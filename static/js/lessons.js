// Lessons work without this module. It puts the focus where an answer appeared, so that it is read out and seen.
document.body.addEventListener("htmx:afterSwap", (event) => {
  const level = event.target.closest?.(".level") ?? document.getElementById(event.detail.elt.id);
  const said = level?.querySelector(".feedback");
  if (!said) return;
  said.focus({ preventScroll: true });
  said.scrollIntoView({ block: "nearest" });
});
