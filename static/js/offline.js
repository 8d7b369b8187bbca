// The site works without this module. It lets the browser keep pages and lists them.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

const list = document.getElementById("kept");
for (const name of list && self.caches ? await caches.keys() : []) {
  const pages = await caches.open(name);
  for (const { url } of name.startsWith("pages-") ? await pages.keys() : []) {
    if (!url.includes(list.dataset.below)) continue;
    const html = await (await pages.match(url, { ignoreVary: true })).text();
    const title = /<title>([^<]*) – /.exec(html)[1];
    list.insertAdjacentHTML("afterbegin", `<li><a href="${url}">${title}</a></li>`);
    list.closest("section").hidden = false;
  }
}
