import {
  createPath,
  type DataRouteMatch,
  type DataRouteObject,
  type DataRouter,
  IDLE_FETCHER,
  IDLE_NAVIGATION,
  matchRoutes,
  NavigationType,
  type Path,
  type RouterNavigateOptions,
  type RouterState,
  resolvePath,
  type To,
  type UNSAFE_createBrowserHistory,
} from 'react-router'
import { inBackground } from '#web/in-background.ts'

/** As browsers count: screens that send each other the visitor must not go on for ever. */
const MAX_REDIRECTS = 20

/** Where a visitor is being taken, and how the address follows. */
type Visit = {
  action: NavigationType
  path: Path & { state: unknown }
  /** The same page once more, because what it shows has changed: neither the address nor the scroll moves. */
  isRepeat?: true
  keepScroll?: boolean
  flushSync?: boolean
  /** How many addresses have already led here. */
  redirects?: number
}

export type PageRouterOptions = {
  /** Every path must match one, and no screen has loaders around its own. */
  routes: DataRouteObject[]
  history: ReturnType<typeof UNSAFE_createBrowserHistory>
  /** What the server loaded for the page that is open, or the failure it showed instead, by the route's id. */
  loaderData: RouterState['loaderData']
  errors: RouterState['errors']
  /** The data of the screen that was matched. What it throws is shown in place of the screen; a redirect is followed. */
  load(match: DataRouteMatch, request: Request): Promise<unknown>
  /** Asked before another page is gone to. True: the browser loads it as a document, and nothing is left to do here. */
  takesOver(href: string): boolean
}

type Navigation = {
  options: PageRouterOptions
  state: RouterState
  subscribers: Set<Parameters<DataRouter['subscribe']>[0]>
  /** State that changed while nobody listened: the page is hydrated a little after the router was made. */
  missedChange: boolean
  visit: Visit | null
  abort: AbortController
  /** Somebody signed in or the language changed: the data on the page may not be used again. */
  dataIsStale: boolean
  scroll: { positions: Record<string, number>; position: () => number } | null
}

/**
 * The browser's router: what React Router's own `createBrowserRouter` does for this site, and no more. That one also
 * carries forms, fetchers, blockers, view transitions and routes discovered on the way, a tenth of all scripts of a
 * page (docs/decisions/0006). Everything a component sees stays React Router's: links, hooks, matching, the history.
 */
export function createPageRouter(options: PageRouterOptions): DataRouter {
  const { history, routes } = options
  const navigation = createNavigation(options)
  const unlisten = history.listen(({ action, location }) => inBackground(start(navigation, { action, path: location })))
  const router: DataRouter = {
    basename: '/',
    future: {},
    manifest: {},
    routes,
    window: globalThis.window,
    get state() {
      return navigation.state
    },
    match: (location) => matchRoutes(routes, location),
    initialize: () => router,
    subscribe: (subscriber) => subscribe(navigation, subscriber),
    enableScrollRestoration: (positions, position) => {
      navigation.scroll = { positions, position }
      return () => {
        navigation.scroll = null
      }
    },
    navigate: (to: number | To | null, how?: RouterNavigateOptions) => navigate(navigation, to, how),
    revalidate: () => revalidate(navigation),
    createHref: (location) => history.createHref(location),
    createURL: (to) => history.createURL(to),
    encodeLocation: (to) => history.encodeLocation(to),
    dispose: () => {
      unlisten()
      navigation.subscribers.clear()
      navigation.abort.abort()
    },
    getFetcher: () => IDLE_FETCHER,
    resetFetcher: notOffered,
    deleteFetcher: notOffered,
    fetch: notOffered,
    getBlocker: notOffered,
    deleteBlocker: notOffered,
    patchRoutes: notOffered,
    _internalSetRoutes: notOffered,
    _internalSetStateDoNotUseOrYouWillBreakYourApp: notOffered,
    _internalFetchControllers: new Map(),
  }
  return router
}

/** Whoever wants one of these takes `createBrowserRouter` in its place: nothing else changes. */
function notOffered(): never {
  throw new Error('forms, fetchers and blockers are not offered by the router of this site: see docs/decisions/0006')
}

function createNavigation(options: PageRouterOptions): Navigation {
  const { history, loaderData, errors } = options
  const state: RouterState = {
    historyAction: history.action,
    location: history.location,
    matches: matchesOf(options, history.location),
    initialized: true,
    renderFallback: false,
    navigation: IDLE_NAVIGATION,
    // Of the page that was loaded the browser takes care.
    restoreScrollPosition: false,
    preventScrollReset: false,
    revalidation: 'idle',
    loaderData,
    actionData: null,
    errors,
    fetchers: new Map(),
    blockers: new Map(),
  }
  return {
    options,
    state,
    subscribers: new Set(),
    missedChange: false,
    visit: null,
    abort: new AbortController(),
    dataIsStale: false,
    scroll: null,
  }
}

function subscribe(navigation: Navigation, subscriber: Parameters<DataRouter['subscribe']>[0]): () => void {
  navigation.subscribers.add(subscriber)
  if (navigation.missedChange) tell(navigation, {})
  return () => navigation.subscribers.delete(subscriber)
}

function tell(navigation: Navigation, changes: Partial<RouterState>, flushSync = false): void {
  navigation.state = { ...navigation.state, ...changes }
  navigation.missedChange = navigation.subscribers.size === 0
  const detail = { deletedFetchers: [], newErrors: changes.errors ?? null, flushSync }
  for (const subscriber of navigation.subscribers) subscriber(navigation.state, detail)
}

/** The promise is kept when the page is shown, or when the visitor has gone elsewhere. Steps in the history are only begun. */
async function navigate(navigation: Navigation, to: number | To | null, how?: RouterNavigateOptions): Promise<void> {
  const { history } = navigation.options
  if (typeof to === 'number') return history.go(to)
  const path = addressOf(navigation, to ?? '.', how?.state)
  await start(navigation, {
    action: how?.replace === true ? NavigationType.Replace : NavigationType.Push,
    path,
    keepScroll: how?.preventScrollReset === true,
    flushSync: how?.flushSync === true,
  })
}

/** An address of this site, whatever is given: resolving cannot lead to another host. */
function addressOf({ options, state }: Navigation, to: To, historyState: unknown): Visit['path'] {
  const path = options.history.encodeLocation(resolvePath(to, state.location.pathname))
  return { ...path, state: historyState ?? null }
}

/** Loads the page that is open, or the one that is being gone to, again. */
async function revalidate(navigation: Navigation): Promise<void> {
  const { state, visit } = navigation
  navigation.dataIsStale = true
  if (visit === null) tell(navigation, { revalidation: 'loading' })
  await start(navigation, visit ?? { action: state.historyAction, path: state.location, isRepeat: true })
}

/** Takes the visitor somewhere: the page changes when its data is here, unless another visit has begun by then. */
async function start(navigation: Navigation, visit: Visit): Promise<void> {
  const { options, state } = navigation
  if (leavesPage(navigation, visit) && options.takesOver(options.history.createURL(visit.path).href)) return
  navigation.abort.abort()
  const abort = new AbortController()
  navigation.abort = abort
  navigation.visit = visit
  if (navigation.scroll !== null) navigation.scroll.positions[state.location.key] = navigation.scroll.position()
  const matches = matchesOf(options, visit.path)
  const screen = matches.at(-1)
  if (screen === undefined || keepsData(navigation, visit, screen)) {
    const { dataIsStale } = navigation
    finish(navigation, visit, { matches })
    // Data that was being renewed is renewed for the new address; the visitor is there already.
    if (dataIsStale) inBackground(revalidate(navigation))
    return
  }
  if (visit.isRepeat !== true) tell(navigation, { navigation: loadingOf(visit, matches) })
  const request = new Request(options.history.createURL(visit.path), { signal: abort.signal })
  const outcome = await options.load(screen, request).then(
    (data) => ({ data }),
    (error: unknown) => ({ error }),
  )
  if (abort.signal.aborted) return
  if ('data' in outcome) {
    return finish(navigation, visit, { matches, loaderData: { [screen.route.id]: outcome.data }, errors: null })
  }
  let { error } = outcome
  if (error instanceof Response && error.headers.has('Location')) {
    if ((visit.redirects ?? 0) < MAX_REDIRECTS) return follow(navigation, visit, error)
    error = new Error(`redirected more than ${MAX_REDIRECTS} times`)
  }
  const boundary = matches.findLast(({ route }) => route.errorElement !== undefined) ?? screen
  finish(navigation, visit, { matches, loaderData: {}, errors: { [boundary.route.id]: error } })
}

function leavesPage({ state }: Navigation, { isRepeat, path }: Visit): boolean {
  return isRepeat !== true && path.pathname !== state.location.pathname
}

/** What was refused leaves no entry in the history: neither the one it would have made nor the one gone back to. */
async function follow(navigation: Navigation, refused: Visit, redirect: Response): Promise<void> {
  const path = addressOf(navigation, redirect.headers.get('Location') ?? '/', null)
  const action = refused.action === NavigationType.Push ? NavigationType.Push : NavigationType.Replace
  await start(navigation, { action, path, redirects: (refused.redirects ?? 0) + 1 })
}

type Shown = Pick<RouterState, 'matches'> & Partial<Pick<RouterState, 'loaderData' | 'errors'>>

function finish(navigation: Navigation, visit: Visit, shown: Shown): void {
  const { scroll, options, state } = navigation
  const { history } = options
  const moves = visit.isRepeat !== true
  if (moves && visit.action === NavigationType.Push) history.push(visit.path, visit.path.state)
  if (moves && visit.action === NavigationType.Replace) history.replace(visit.path, visit.path.state)
  const location = moves ? history.location : state.location
  navigation.visit = null
  navigation.dataIsStale = false
  const change: Partial<RouterState> = {
    ...shown,
    historyAction: visit.action,
    location,
    navigation: IDLE_NAVIGATION,
    revalidation: 'idle',
    restoreScrollPosition: moves ? (scroll?.positions[location.key] ?? null) : false,
    preventScrollReset: visit.keepScroll === true,
  }
  tell(navigation, change, visit.flushSync)
}

/** A screen that is already open is asked whether the new address means other data; a mark within it (`#main`) never does. */
function keepsData(
  { state, options }: Navigation,
  { path, isRepeat }: Visit,
  { route, params }: DataRouteMatch,
): boolean {
  const { location, matches, loaderData, errors } = state
  const isOpen = matches.at(-1)?.route.id === route.id && route.id in loaderData && errors === null
  if (!isOpen || isRepeat === true) return false
  if (path.pathname === location.pathname && path.search === location.search && path.hash !== '') return true
  const args = {
    currentUrl: options.history.createURL(location),
    currentParams: matches.at(-1)?.params ?? {},
    nextUrl: options.history.createURL(path),
    nextParams: params,
    defaultShouldRevalidate: true,
  }
  return route.shouldRevalidate?.(args) === false
}

function matchesOf({ routes }: PageRouterOptions, path: Path): DataRouteMatch[] {
  const matches = matchRoutes(routes, path)
  if (matches === null) throw new Error(`no route for ${createPath(path)}`)
  return matches
}

function loadingOf({ action, path }: Visit, matches: DataRouteMatch[]): RouterState['navigation'] {
  const location = { ...path, key: 'loading', mask: undefined }
  return { ...IDLE_NAVIGATION, state: 'loading', location, matches, historyAction: action }
}
