/**
 * Every screen, in one list, in the order of the specification. A link may only point to what stands here: the header,
 * the footer and the bottom bar ask `routeNamed` and leave out what is not there yet.
 *
 * How a screen gets its data: its file exports `Page`, and `loader` if it needs data. The loader runs on the server for
 * the first view and in the browser after that, with the same face (`LoaderInput`): `api` is answered in-process on the
 * server and by fetch in the browser; `url` is the page's own; `session.status` says who looks. `Page` reads the result
 * by `useScreenData<typeof loader>()`. What a loader throws is shown by the layout: a CallError 404 is the 404 page.
 */
import type { ComponentType } from 'react'
import type { LoaderInput } from './loader-input.ts'

/** What the file of a screen exports. */
export type Screen = {
  Page: ComponentType
  /** The screen itself fetches what a change of its query asks for (through the query cache): its loader runs on arrival. */
  ownsQuery?: true
  /** JSON only: the reply travels inside the page. */
  loader?: (input: LoaderInput) => Promise<unknown>
}

export type SiteRoute = {
  /** The specification's name: `___ru` because only ru is configured in routing, while texts exist in ru and en. */
  name: `${string}___ru`
  path: string
  /** `signed-in`: a visitor is sent to sign in and comes back after it. */
  access: 'public' | 'signed-in'
  /** Query parameters the screen reads. Others change neither the page nor its place in the cache. */
  query: readonly string[]
  /** `all`: the screen is written in texts that most pages do not need (LATER_TEXTS in vite.config.ts). */
  texts?: 'all'
  /** The file of `load`, by which the manifest of the build knows what to preload. */
  file: string
  load: () => Promise<Screen>
}

export const ROUTES: readonly SiteRoute[] = [
  {
    name: 'index___ru',
    path: '/',
    access: 'public',
    query: ['service', 'country', 'operator', 'search', 'services', 'countries', 'sort'],
    file: 'web/screens/home/page.tsx',
    load: () => import('./screens/home/page.tsx'),
  },
  // The home page under these, too: what their query carries is taken up in the browser (web/session/arrival.ts).
  homeAt('reset-password___ru', '/check/reset-password'),
  homeAt('social-callback___ru', '/auth/:service/callback'),
  homeAt('social-link-callback___ru', '/auth/:service/link-callback'),
  {
    name: 'activations___ru',
    path: '/activations',
    access: 'signed-in',
    query: ['search', 'services', 'countries', 'sort'],
    file: 'web/screens/activations/page.tsx',
    load: () => import('./screens/activations/page.tsx'),
  },
  {
    name: 'settings___ru',
    path: '/settings',
    access: 'signed-in',
    texts: 'all',
    query: [],
    file: 'web/screens/settings/page.tsx',
    load: () => import('./screens/settings/page.tsx'),
  },
  {
    name: 'settings-security___ru',
    path: '/settings/security',
    access: 'signed-in',
    texts: 'all',
    query: [],
    file: 'web/screens/settings/security/page.tsx',
    load: () => import('./screens/settings/security/page.tsx'),
  },
  {
    name: 'settings-sessions___ru',
    path: '/settings/sessions',
    access: 'signed-in',
    texts: 'all',
    query: [],
    file: 'web/screens/settings/sessions/page.tsx',
    load: () => import('./screens/settings/sessions/page.tsx'),
  },
]

/** Any other path: status 404. */
export const NOT_FOUND_ROUTE: SiteRoute = {
  name: 'not-found___ru',
  path: '*',
  access: 'public',
  query: [],
  file: 'web/screens/not-found/page.tsx',
  load: () => import('./screens/not-found/page.tsx'),
}

function homeAt(name: SiteRoute['name'], path: string): SiteRoute {
  return {
    name,
    path,
    access: 'public',
    query: [],
    file: 'web/screens/home/page.tsx',
    load: () => import('./screens/home/page.tsx'),
  }
}

/** How much of the texts the screen of this route needs. `id` is the full name of the route. */
export function textsOf(id: string | undefined): 'first' | 'all' {
  return ROUTES.find(({ name }) => name === id)?.texts ?? 'first'
}

/** The route of that name, or undefined when the screen does not exist: then nothing may link to it. */
export function routeNamed(name: string): SiteRoute | undefined {
  return ROUTES.find((route) => route.name === `${name}___ru`)
}
