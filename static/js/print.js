// Without this module one prints a worksheet by the browser's own menu.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => print());
