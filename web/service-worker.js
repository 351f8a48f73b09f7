// Keeps the frame and the code of the pages, so that they open while the server is away. Never an answer of the API.
// `VERSION` and `FILES` come from the build.

const SHELL = '/shell';
const NAME = 'homeledger-';
const KEPT = 2;
const NOT_OURS = /^\/(?:api|auth\/(?!device$)|docs|link|_link|health|openapi\.json)(?:\/|$)/;

addEventListener('install', (event) => {
  event.waitUntil(keepFiles().then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(forgetOldFiles().then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(fromCache(event.request));
  // Hashed names of another version, which a page that is still open may ask for.
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCache(event.request));
  else if (mode === 'navigate' && !NOT_OURS.test(pathname)) event.respondWith(fromServer(event.request));
});

async function fromCache(request) {
  return (await caches.match(request.url)) ?? fetch(request);
}

/** The server decides where a page leads; the frame is for when it does not answer. */
async function fromServer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await caches.match(SHELL);
    if (!shell) throw error;
    return shell;
  }
}

async function keepFiles() {
  const cache = await caches.open(NAME + VERSION);
  for (const file of [SHELL, ...FILES]) {
    // Names are hashed, so what another version has is the same.
    const known = file === SHELL ? undefined : await caches.match(file);
    if (known) await cache.put(file, known);
    else await cache.add(new Request(file, { cache: 'no-cache', credentials: 'omit' }));
  }
}

/** The version before stays for pages that are still open. */
async function forgetOldFiles() {
  const names = (await caches.keys()).filter((name) => name.startsWith(NAME));
  const others = names.filter((name) => name !== NAME + VERSION);
  await Promise.all(others.slice(0, Math.max(0, others.length - (KEPT - 1))).map((name) => caches.delete(name)));
}
