// The live board works without this module. It asks for nothing while nobody looks, and no more where the page is gone.
document.body.addEventListener("htmx:beforeRequest", (event) => {
  const { polls } = event.target.dataset;
  if (polls === "over" || (polls && document.hidden)) event.preventDefault();
});

document.body.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (elt.dataset.polls && xhr.status === 404) elt.dataset.polls = "over";
});
