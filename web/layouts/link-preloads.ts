import { useEffect, useMemo } from 'react'
import { type AppContext, useAppContext } from '#web/house/app-context.ts'
import { loadMessages } from '#web/locales/messages.ts'
import { matchRoute } from '#web/navigation/match-route.ts'
import { NOT_FOUND_ROUTE, ROUTES, textsOf } from '#web/navigation/routes.ts'
import { savesData } from '#web/navigation/saves-data.ts'
import { useLocation } from '#web/navigation/use-page.ts'
import { loadScreen } from '#web/screens/load-screen.ts'
import { createPreloadQueue, type PreloadQueue } from './preload-queue.ts'

/** Preloads begin this long after a page has loaded, because the page itself has priority. */
const AFTER_PAGE_MS = 1_000
const PAUSE_MS = 200

export function useLinkPreloads(): void {
  const app = useAppContext()
  const { pathname } = useLocation()
  const preloads = useMemo(() => preloadsOf(app), [app])
  useEffect(() => (savesData() ? undefined : preloads.followPresses()), [preloads])
  useEffect(() => {
    if (savesData()) return undefined
    let stop: (() => void) | undefined
    const timer = setTimeout(() => {
      stop = preloads.followSight(pathname)
    }, AFTER_PAGE_MS)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [preloads, pathname])
}

function preloadsOf(app: AppContext) {
  const load = async (id: string) => {
    const route = ROUTES.find(({ name }) => name === id)
    const { locale } = app.language.get()
    await Promise.all([
      route === undefined ? null : loadScreen(route),
      textsOf(id) === 'all' ? loadMessages(locale, 'all') : null,
    ])
  }
  const queue = createPreloadQueue({ load, whenIdle })
  const routeOf = (link: Element | null): string | null => {
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return null
    const { route } = matchRoute(link)
    return route === NOT_FOUND_ROUTE ? null : route.name
  }
  return {
    followPresses: () => followPresses(queue, routeOf),
    followSight: (here: string) => followSight(queue, routeOf, here),
  }
}

/** Safari has no idle callback, so a short pause takes its place there. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(then)
  else setTimeout(then, PAUSE_MS)
}

type RouteOf = (link: Element | null) => string | null

function followPresses(queue: PreloadQueue, routeOf: RouteOf): () => void {
  const onPress = ({ target }: Event) => {
    const route = target instanceof Element ? routeOf(target.closest('a')) : null
    if (route !== null) queue.add(route, 'soon')
  }
  const events = ['pointerover', 'pointerdown', 'focusin']
  for (const event of events) document.addEventListener(event, onPress, { passive: true })
  return () => {
    for (const event of events) document.removeEventListener(event, onPress)
  }
}

function followSight(queue: PreloadQueue, routeOf: RouteOf, here: string): () => void {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const route = isIntersecting ? routeOf(target) : null
      if (route === null) continue
      queue.add(route, 'some-time')
      observer.unobserve(target)
    }
  })
  for (const link of document.links) {
    if (link.pathname !== here && routeOf(link) !== null) observer.observe(link)
  }
  return () => observer.disconnect()
}
