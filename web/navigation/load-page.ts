import type { Api } from '#contract/calls/calls.ts'
import { type LoaderInput, notThere, Redirect, type Screen, signInPath } from './loader-input.ts'
import type { PageMatch } from './match-route.ts'
import { pageName, type SiteRoute } from './routes.ts'

export type PageSource = Pick<LoaderInput, 'api' | 'locale' | 'session' | 'now'> & {
  /** Returns true if this visitor may not see the page. `page` is the first segment of its path. */
  isClosed(page: string): Promise<boolean>
  signal?: AbortSignal
  screenOf(route: SiteRoute): Promise<Screen>
  /** Returns the page's data if it is available without the loader. If null, the loader runs. */
  readyData?(match: PageMatch, url: URL): Promise<{ data: unknown } | null>
}

/** The page content after loading. A CallError with status 404 shows the 404 page. */
export type PageContent = { screen: Screen; data: unknown } | { error: unknown }

/** Loads a page in the same steps on server and browser: access check, screen script, data. */
export async function loadPage(match: PageMatch, url: URL, source: PageSource): Promise<PageContent | Redirect> {
  try {
    return await loadOrThrow(match, url, source)
  } catch (error) {
    return error instanceof Redirect ? error : { error }
  }
}

async function loadOrThrow(match: PageMatch, url: URL, source: PageSource): Promise<PageContent> {
  const { route, params } = match
  if (await source.isClosed(pageName(route))) throw notThere()
  // For a signed-in person who is not staff, the call of a staff page's loader replies 404.
  if (route.access !== 'public' && source.session.status === 'unauthenticated') throw new Redirect(signInPath(url))
  // Blocked people may open only support, where they read why they are blocked and may write.
  if (source.session.user?.blocked && !route.path.startsWith('/support')) throw new Redirect('/support')
  const [screen, ready] = await Promise.all([source.screenOf(route), source.readyData?.(match, url) ?? null])
  if (ready !== null) return { screen, data: ready.data }
  const { locale, now, session } = source
  const input = { api: abortable(source), locale, now, session, url, params }
  return { screen, data: screen.loader === undefined ? null : await screen.loader(input) }
}

function abortable({ api, signal }: PageSource): Api {
  return signal === undefined ? api : (key, input, options) => api(key, input, { signal, ...options })
}

/** Returns true if a move from `from` to `to` needs no new data. A change of the hash alone never needs any. */
export function keepsData({ route }: PageMatch, { ownsQuery }: Screen, from: URL, to: URL): boolean {
  if (from.pathname !== to.pathname) return false
  if (from.search === to.search) return to.hash !== ''
  return ownsQuery === true || readQuery(route, from) === readQuery(route, to)
}

/** Reads only the parameters that the screen uses, because `login` and campaign parameters need no new data. */
function readQuery({ query }: SiteRoute, url: URL): string {
  return query.map((name) => `${name}=${url.searchParams.getAll(name).join(',')}`).join('&')
}
