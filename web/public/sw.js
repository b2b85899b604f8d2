// Keeps one page for the time without a connection, and nothing else: never a call, never a page of a person. The
// address of this file names build and language (web/navigation/offline-page.ts): each has a worker and copies of its own.
const query = new URL(self.location.href).searchParams
const locale = query.get('locale') === 'en' ? 'en' : 'ru'
const page = `/offline.${locale}.html`
const kept = [page, '/offline.css', '/offline.js', '/favicon.svg']
const cacheName = `offline-${query.get('build')}-${locale}`

self.addEventListener('install', (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(load(event).catch(() => copyOf(page)))
  // The offline page asks for these by itself.
  else if (request.destination !== '' && kept.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => copyOf(new URL(request.url).pathname)))
})

async function keep() {
  const cache = await caches.open(cacheName)
  // Past the browser's own cache, which may hold those of an earlier build.
  await cache.addAll(kept.map((path) => new Request(path, { cache: 'reload' })))
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
  // The worker starts while the page is already being asked for: it costs nobody time.
  await self.registration.navigationPreload?.enable()
}

async function load(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

async function copyOf(path) {
  return (await caches.match(path)) ?? Response.error()
}
