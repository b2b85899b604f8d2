// Caches the offline page only, no calls and no personal pages, and shows what is pushed. Each build and language has its own worker and cache,
// because the worker's URL names both (web/navigation/offline-page.ts).
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
  // Subresources of the offline page.
  else if (request.destination !== '' && kept.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => copyOf(new URL(request.url).pathname)))
})

async function keep() {
  const cache = await caches.open(cacheName)
  // Bypasses the HTTP cache, which may hold files of an earlier build.
  await cache.addAll(kept.map((path) => new Request(path, { cache: 'reload' })))
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
  // Preloading requests the page while the worker starts, so the worker adds no delay.
  await self.registration.navigationPreload?.enable()
}

async function load(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

async function copyOf(path) {
  return (await caches.match(path)) ?? Response.error()
}

// Only this browser could decrypt it. Browsers demand that each push is shown.
self.addEventListener('push', (event) => {
  const { title = 'Ringpost', body = '', url = '/', tag } = event.data?.json() ?? {}
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icons/icon-192.png', data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(goTo(event.notification.data.url))
})

async function goTo(path) {
  const url = new URL(path, self.location.origin)
  // A push leads to a page of this site, whatever it says.
  const target = url.origin === self.location.origin ? url.href : self.location.origin
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open === undefined) return self.clients.openWindow(target)
  await open.focus()
  return open.navigate(target)
}
