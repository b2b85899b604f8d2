import type { Api } from '#contract/calls/calls.ts'
import { type LoaderInput, notThere, Redirect, type Screen, signInPath } from '#web/loader-input.ts'
import type { SiteRoute } from '#web/routes.ts'
import type { PageMatch } from './match-route.ts'

/** What differs between the server and the browser, for one visit. */
export type PageSource = Pick<LoaderInput, 'api' | 'locale' | 'session' | 'now'> & {
  /** Pages this visitor may not see, by the first part of their path. */
  closedPages: readonly string[]
  /** Aborted when the visitor goes elsewhere. */
  signal?: AbortSignal
  screenOf(route: SiteRoute): Promise<Screen>
  /** Data that need not be loaded. Null: the loader runs. */
  readyData?(match: PageMatch, url: URL): Promise<{ data: unknown } | null>
}

/** The code and the data of one page, or what is shown in place of them: a CallError 404 is the 404 page. */
export type PageContent = { screen: Screen; data: unknown } | { error: unknown }

/** Loads a page, the same way on the server and in the browser: the guard of its route, its code, its data. */
export async function loadPage(match: PageMatch, url: URL, source: PageSource): Promise<PageContent | Redirect> {
  try {
    return await loadOrThrow(match, url, source)
  } catch (error) {
    return error instanceof Redirect ? error : { error }
  }
}

async function loadOrThrow(match: PageMatch, url: URL, source: PageSource): Promise<PageContent> {
  const { route, params } = match
  if (source.closedPages.includes(route.path.split('/')[1] ?? '')) throw notThere()
  if (route.access === 'signed-in' && source.session.status === 'unauthenticated') throw new Redirect(signInPath(url))
  const [screen, ready] = await Promise.all([source.screenOf(route), source.readyData?.(match, url) ?? null])
  if (ready !== null) return { screen, data: ready.data }
  const { locale, now, session } = source
  const input = { api: abortable(source), locale, now, session, url, params }
  return { screen, data: screen.loader === undefined ? null : await screen.loader(input) }
}

function abortable({ api, signal }: PageSource): Api {
  return signal === undefined ? api : (key, input, options) => api(key, input, { signal, ...options })
}

/** Whether another address of the same screen means other data. A mark within the page (`#main`) never does. */
export function keepsData({ route }: PageMatch, { ownsQuery }: Screen, from: URL, to: URL): boolean {
  if (from.pathname !== to.pathname) return false
  if (from.search === to.search) return to.hash !== ''
  return ownsQuery === true || readQuery(route, from) === readQuery(route, to)
}

/** The part of the query that the screen reads: `?login=1` being dropped, or a campaign's mark, needs no new data. */
function readQuery({ query }: SiteRoute, url: URL): string {
  return query.map((name) => `${name}=${url.searchParams.getAll(name).join(',')}`).join('&')
}
