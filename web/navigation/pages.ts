import {
  createPath,
  type Location,
  NavigationType,
  type Navigator,
  type Path,
  resolvePath,
  type To,
} from 'react-router'
import { inBackground } from '#web/in-background.ts'
import { Redirect } from '#web/loader-input.ts'
import { createStore, type Store } from '#web/store.ts'
import type { PageHistory } from './history.ts'
import { keepsData, type PageContent } from './load-page.ts'
import { matchRoute, type PageMatch } from './match-route.ts'

/** As browsers count: screens that send each other the visitor must not go on for ever. */
const MAX_REDIRECTS = 20

/** The page that is shown. */
export type Page = PageMatch & {
  location: Location
  action: NavigationType
  content: PageContent
  /** Where the window scrolls when it is drawn, in pixels; null: it stays. `mark`: to the hash of the address. */
  scrollTo: number | 'mark' | null
}

type GoOptions = {
  /** In place of the entry that is open in the history. */
  replace?: boolean | undefined
  state?: unknown
  /** The window stays where it is. */
  preventScrollReset?: boolean | undefined
  /** Drawn before the call returns, when nothing has to be loaded. */
  flushSync?: boolean | undefined
}

/** The pages of this tab: one is shown, another may be on its way. */
export type Pages = {
  get(): Page
  /** Where the visitor is being taken; null when nowhere. */
  next: Store<Path | null>
  subscribe(listener: PageListener): () => void
  /** Resolves when the page is shown, or when the visitor has gone elsewhere meanwhile. */
  go(to: To, options?: GoOptions): Promise<void>
  /** Loads the page that is open, or the one that is on its way, again: neither address nor scroll changes. */
  reload(): Promise<void>
  /** For React Router's links and hooks. */
  navigator: Navigator
  end(): void
}

type PageListener = (page: Page, how: { flushSync: boolean }) => void

export type PagesOptions = {
  history: PageHistory
  /** What the server drew. */
  content: PageContent
  load(match: PageMatch, url: URL, signal: AbortSignal): Promise<PageContent | Redirect>
  /** Asked before another page is gone to. True: the browser loads it as a document, and nothing is left to do here. */
  takesOver(href: string): boolean
  scroll: { positions: Record<string, number>; position(): number }
}

/** Where a visitor is being taken, and how the address follows. */
type Visit = Pick<GoOptions, 'preventScrollReset' | 'flushSync'> & {
  action: NavigationType
  path: Path & { state: unknown }
  isReload?: true
  /** How many addresses have already led here. */
  redirects?: number
}

type Tab = {
  options: PagesOptions
  page: Page
  next: Store<Path | null>
  listeners: Set<PageListener>
  visit: Visit | null
  abort: AbortController
  /** Somebody signed in or the language changed: the data on the page may not be used again. */
  dataIsStale: boolean
}

/** Follows links and the history: a page changes, with its address, when its data is here. */
export function createPages(options: PagesOptions): Pages {
  const { history, content } = options
  const { location } = history
  const tab: Tab = {
    options,
    page: { ...matchRoute(location), location, action: NavigationType.Pop, content, scrollTo: null },
    next: createStore<Path | null>(null),
    listeners: new Set(),
    visit: null,
    abort: new AbortController(),
    dataIsStale: false,
  }
  const go: Pages['go'] = (to, how = {}) => {
    const action = how.replace === true ? NavigationType.Replace : NavigationType.Push
    return start(tab, { ...how, action, path: addressOf(tab, to, how.state) })
  }
  const unlisten = history.listen((path) => inBackground(start(tab, { action: NavigationType.Pop, path })))
  return {
    get: () => tab.page,
    next: tab.next,
    subscribe: (listener) => {
      tab.listeners.add(listener)
      return () => tab.listeners.delete(listener)
    },
    go,
    reload: () => reload(tab),
    navigator: {
      createHref: hrefOf,
      go: history.go,
      push: (to, state, how) => inBackground(go(to, { ...how, state, replace: false })),
      replace: (to, state, how) => inBackground(go(to, { ...how, state, replace: true })),
    },
    end: () => {
      unlisten()
      tab.listeners.clear()
      tab.abort.abort()
    },
  }
}

export const hrefOf = (to: To): string => (typeof to === 'string' ? to : createPath(to))

/** An address of this site, whatever is given: resolving cannot lead to another host. */
function addressOf({ options, page }: Tab, to: To, state: unknown): Visit['path'] {
  const { pathname, search, hash } = urlOf(options, resolvePath(to, page.location.pathname))
  return { pathname, search, hash, state: state ?? null }
}

function urlOf({ history }: PagesOptions, path: Partial<Path>): URL {
  return new URL(history.origin + createPath(path))
}

/** Takes the visitor somewhere: the page changes when its data is here, unless another visit has begun by then. */
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
    // Data that was being renewed is renewed for the new address; the visitor is there already.
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

/** What was refused leaves no entry in the history: neither the one it would have made nor the one gone back to. */
async function follow(tab: Tab, refused: Visit, { location }: Redirect): Promise<void> {
  const action = refused.action === NavigationType.Push ? NavigationType.Push : NavigationType.Replace
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
  if (!isReload && action === NavigationType.Push) history.push(path, path.state)
  if (!isReload && action === NavigationType.Replace) history.replace(path, path.state)
  const location = isReload ? tab.page.location : history.location
  const top = visit.preventScrollReset === true ? null : 0
  const place = scroll.positions[location.key] ?? (location.hash === '' ? top : 'mark')
  tab.page = { ...shown, location, action, scrollTo: isReload ? null : place }
  tab.visit = null
  tab.dataIsStale = false
  tab.next.set(null)
  for (const listener of tab.listeners) listener(tab.page, { flushSync: visit.flushSync === true })
}
