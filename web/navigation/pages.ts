import { createPath, type Location, type Path, resolvePath, type To } from 'react-router'
import { inBackground } from '#web/house/in-background.ts'
import { createStore, type Store } from '#web/house/stores/store.ts'
import type { PageHistory } from './history.ts'
import { keepsData, type PageContent } from './load-page.ts'
import { Redirect } from './loader-input.ts'
import { matchRoute, type PageMatch } from './match-route.ts'

/** The maximum number of redirects in a row, which ends redirect loops. Browsers have the same limit. */
const MAX_REDIRECTS = 20

/** The way in which the page was reached. `step` is a move within the history, or the load of the document. */
export type Arrival = 'push' | 'replace' | 'step'

export type Page = PageMatch & {
  location: Location
  action: Arrival
  content: PageContent
  /** The scroll position in pixels. Null keeps the position, and `mark` scrolls to the hash of the URL. */
  scrollTo: number | 'mark' | null
}

type GoOptions = {
  replace?: boolean | undefined
  state?: unknown
  preventScrollReset?: boolean | undefined
  /** If true and no data has to be loaded, the page renders before the call returns. */
  flushSync?: boolean | undefined
}

export type Pages = {
  get(): Page
  next: Store<Path | null>
  subscribe(listener: PageListener): () => void
  /** Resolves when the target page is shown, or when a later navigation has replaced this navigation. */
  go(to: To, options?: GoOptions): Promise<void>
  reload(): Promise<void>
  end(): void
}

type PageListener = (page: Page, how: { flushSync: boolean }) => void

export type PagesOptions = {
  history: PageHistory
  content: PageContent
  load(match: PageMatch, url: URL, signal: AbortSignal): Promise<PageContent | Redirect>
  /** Called before a navigation to another page. If it returns true, the browser loads the page as a document. */
  takesOver(href: string): boolean
  scroll: { positions: Record<string, number>; position(): number }
}

type Visit = Pick<GoOptions, 'preventScrollReset' | 'flushSync'> & {
  action: Arrival
  path: Path & { state: unknown }
  isReload?: true
  redirects?: number
}

type Tab = {
  options: PagesOptions
  page: Page
  next: Store<Path | null>
  listeners: Set<PageListener>
  visit: Visit | null
  abort: AbortController
  /** True if a sign-in or a change of language has made the page's data unusable. */
  dataIsStale: boolean
}

/** Creates the navigation of a tab. Page and URL change together, as soon as the data has loaded. */
export function createPages(options: PagesOptions): Pages {
  const { history, content } = options
  const { location } = history
  const tab: Tab = {
    options,
    page: { ...matchRoute(location), location, action: 'step', content, scrollTo: null },
    next: createStore<Path | null>(null),
    listeners: new Set(),
    visit: null,
    abort: new AbortController(),
    dataIsStale: false,
  }
  const go: Pages['go'] = (to, how = {}) => {
    const action = how.replace === true ? 'replace' : 'push'
    return start(tab, { ...how, action, path: addressOf(tab, to, how.state) })
  }
  const unlisten = history.listen((path) => inBackground(start(tab, { action: 'step', path })))
  return {
    get: () => tab.page,
    next: tab.next,
    subscribe: (listener) => {
      tab.listeners.add(listener)
      return () => tab.listeners.delete(listener)
    },
    go,
    reload: () => reload(tab),
    end: () => {
      unlisten()
      tab.listeners.clear()
      tab.abort.abort()
    },
  }
}

/** Returns a URL of this site in every case, because `resolvePath` cannot lead to another host. */
function addressOf({ options, page }: Tab, to: To, state: unknown): Visit['path'] {
  const { pathname, search, hash } = urlOf(options, resolvePath(to, page.location.pathname))
  return { pathname, search, hash, state: state ?? null }
}

function urlOf({ history }: PagesOptions, path: Partial<Path>): URL {
  return new URL(history.origin + createPath(path))
}

async function start(tab: Tab, visit: Visit): Promise<void> {
  const { options, page } = tab
  const { path, isReload = false } = visit
  const url = urlOf(options, path)
  if (!isReload && path.pathname !== page.location.pathname && options.takesOver(url.href)) return
  tab.abort.abort()
  tab.abort = new AbortController()
  tab.visit = visit
  const { signal } = tab.abort
  options.scroll.positions[page.location.key] = options.scroll.position()
  const match = matchRoute(path)
  if (!isReload && canKeep(tab, match, url)) {
    const { dataIsStale } = tab
    finish(tab, visit, { ...match, content: page.content })
    // A reload was pending for the previous URL, so the page reloads at the new URL.
    if (dataIsStale) inBackground(reload(tab))
    return
  }
  if (!isReload) tab.next.set(path)
  const outcome = await options.load(match, url, signal)
  if (signal.aborted) return
  if (!(outcome instanceof Redirect)) return finish(tab, visit, { ...match, content: outcome })
  if ((visit.redirects ?? 0) < MAX_REDIRECTS) return follow(tab, visit, outcome)
  finish(tab, visit, { ...match, content: { error: new Error(`redirected more than ${MAX_REDIRECTS} times`) } })
}

function canKeep({ options, page }: Tab, { route }: PageMatch, url: URL): boolean {
  if (page.route !== route || 'error' in page.content) return false
  return keepsData(page, page.content.screen, urlOf(options, page.location), url)
}

/** Follows a redirect. The refused URL leaves no history entry, neither after a push nor after a step back. */
async function follow(tab: Tab, refused: Visit, { location }: Redirect): Promise<void> {
  const action = refused.action === 'push' ? 'push' : 'replace'
  await start(tab, { action, path: addressOf(tab, location, null), redirects: (refused.redirects ?? 0) + 1 })
}

async function reload(tab: Tab): Promise<void> {
  const { action, location } = tab.page
  tab.dataIsStale = true
  await start(tab, tab.visit ?? { action, path: location, isReload: true })
}

function finish(tab: Tab, visit: Visit, shown: PageMatch & Pick<Page, 'content'>): void {
  const { history, scroll } = tab.options
  const { action, path, isReload = false } = visit
  if (!isReload && action === 'push') history.push(path, path.state)
  if (!isReload && action === 'replace') history.replace(path, path.state)
  const location = isReload ? tab.page.location : history.location
  const top = visit.preventScrollReset === true ? null : 0
  const place = scroll.positions[location.key] ?? (location.hash === '' ? top : 'mark')
  tab.page = { ...shown, location, action, scrollTo: isReload ? null : place }
  tab.visit = null
  tab.dataIsStale = false
  tab.next.set(null)
  for (const listener of tab.listeners) listener(tab.page, { flushSync: visit.flushSync === true })
}
