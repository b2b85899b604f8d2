import { type DataRouteObject, UNSAFE_createMemoryHistory } from 'react-router'
import { createPageRouter } from './page-router.ts'

/** A site of three screens under one layout. What is loaded is answered by the test, visit by visit. */
export function site({
  at = '/',
  errors = null as Record<string, unknown> | null,
  ownsQuery = false,
  takesOver = (_href: string): boolean => false,
} = {}) {
  const screens: DataRouteObject[] = [
    { id: 'home', path: '/', ...(ownsQuery ? { shouldRevalidate: () => false } : {}) },
    { id: 'faq', path: '/faq/:category' },
    { id: 'any', path: '*' },
  ]
  const loads: { url: string; id: string; signal: AbortSignal; answer: (data: unknown) => void; fail: Fail }[] = []
  const history = UNSAFE_createMemoryHistory({ initialEntries: [at] })
  const router = createPageRouter({
    routes: [{ id: 'main', errorElement: 'an error', children: screens }],
    history,
    loaderData: errors === null ? { home: 'home of the server' } : {},
    errors,
    load: ({ route }, { url, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers()
      loads.push({ url: url.replace('http://localhost', ''), id: route.id, signal, answer: resolve, fail: reject })
      return promise
    },
    takesOver,
  })
  const states: (typeof router.state)[] = []
  router.subscribe((state) => states.push(state))
  const lastLoad = () => {
    const load = loads.at(-1)
    if (load === undefined) throw new Error('nothing was loaded')
    return load
  }
  return { router, history, loads, lastLoad, states }
}
type Fail = (error: unknown) => void
