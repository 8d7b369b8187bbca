// Keeps pages that were read, to be read without a network. A new text is a new version.
const STOCK = "stock-{{ version }}";
const PAGES = "pages-{{ version }}";
const FILES = {{ files|safe }};
const KEPT = /^\/[^/]+\/((learn|rules)\/.*|(glossary|compare|tiles)\/)?$/;
const CHANGES_WHO = /\/account\/|\/learn\/forget\//;
const MOST = 80;

const isPages = (name) => name.startsWith("pages-");
const find = (path) => caches.match(path, { ignoreVary: true });

async function keep(name, path, response) {
  if (!response.ok || response.redirected) return;
  const cache = await caches.open(name);
  await cache.delete(path); // the latest comes last
  await cache.put(path, response);
  for (const old of (await cache.keys()).slice(0, -MOST)) await cache.delete(old);
}

async function drop(isOld) {
  for (const name of await caches.keys()) if (isOld(name)) await caches.delete(name);
}

// Takes what was read and what is open. Without an answer the old version goes on.
async function install() {
  const stock = await caches.open(STOCK);
  await stock.addAll(FILES.map((file) => new Request(file, { cache: "no-cache", credentials: "omit" })));
  const read = await clients.matchAll({ includeUncontrolled: true });
  for (const name of (await caches.keys()).filter(isPages))
    read.unshift(...(await (await caches.open(name)).keys()));
  for (const path of new Set(read.map(({ url }) => new URL(url).pathname)))
    if (KEPT.test(path)) await keep(PAGES, path, await fetch(path));
  skipWaiting();
}

async function answer(event, { pathname, search }, isFile) {
  const kept = await find(pathname);
  if (kept && /\.[0-9a-f]{12}\./.test(pathname)) return kept;
  try {
    const response = await fetch(event.request);
    const name = isFile ? STOCK : !search && KEPT.test(pathname) && PAGES;
    if (name) event.waitUntil(keep(name, pathname, response.clone()));
    return response;
  } catch {
    if (kept) return kept;
    const page = await find(`/${pathname.split("/")[1]}/offline/`);
    return page ? new Response(page.body, { status: 503, headers: page.headers }) : Response.error();
  }
}

oninstall = (event) => event.waitUntil(install());

onactivate = (event) => event.waitUntil(drop((name) => ![STOCK, PAGES].includes(name)).then(() => clients.claim()));

onfetch = (event) => {
  const { method, mode, url } = event.request;
  const address = new URL(url);
  if (address.origin !== origin) return;
  const isFile = address.pathname.startsWith("{{ static }}");
  if (method === "POST" && CHANGES_WHO.test(address.pathname)) event.waitUntil(drop(isPages));
  if (method === "GET" && (isFile || mode === "navigate")) event.respondWith(answer(event, address, isFile));
};
