import type { Api } from '#contract/calls/calls.ts'
import type { PagePayload } from '#contract/page-request.ts'
import { SECOND } from '#contract/time.ts'
import type { User } from '#contract/user.ts'
import { type AppContext, settingsQuery } from '#web/house/app-context.ts'
import type { Screen } from '#web/navigation/loader-input.ts'
import { type SiteRoute, textsOf } from '#web/navigation/routes.ts'
import { loadScreen } from '#web/screens/load-screen.ts'
import { completeTexts } from '#web/text/complete-texts.tsx'
import { loadDocument } from './navigation/load-document.ts'
import type { PageSource } from './navigation/load-page.ts'
import { sharingReads } from './sharing-reads.ts'

const PAYLOAD_TIMEOUT_MS = 10 * SECOND

export function browserSource(app: AppContext, api: Api, url: URL, signal: AbortSignal): PageSource {
  const { locale } = app.language.get()
  const { status } = app.session.get()
  const isVisitor = status === 'unauthenticated'
  return {
    api: sharingReads(api, app.queryClient),
    locale,
    session: { status, user: app.queryClient.getQueryData<User>(['user']) ?? null },
    now: new Date().toISOString(),
    isClosed: (name) => isClosed(app, name),
    signal,
    screenOf: async (route) => {
      const [screen] = await Promise.all([
        screenOrDocument(route, url.href),
        // Members see number tickets on all screens, and these need all texts.
        isVisitor && textsOf(route.name) === 'initial' ? null : completeTexts(app),
      ])
      return screen
    },
    // For visitors, one request gets a public page's data, which the server caches. Otherwise the loader runs.
    readyData: async ({ route }) => {
      const payload = isVisitor && route.access === 'public' ? await fetchPayload(app, url, signal) : null
      return payload !== null && route.name in payload.loaderData ? { data: payload.loaderData[route.name] } : null
    },
  }
}

/**
 * Returns true if the operator has closed a page. The list of closed pages may be stale after a sign-in, so it is
 * fetched again before a page is refused.
 */
async function isClosed(app: AppContext, name: string): Promise<boolean> {
  const query = settingsQuery(app)
  const known = app.queryClient.getQueryData(query.queryKey) ?? app.page.settings
  if (!known.closedPages.includes(name)) return false
  // Specification 8: a failure to load the settings is ignored.
  const { closedPages } = await app.queryClient.fetchQuery(query).catch(() => known)
  return closedPages.includes(name)
}

/** Loads a screen. If its chunk is missing (of an older build), the browser loads the document, unless offline. */
async function screenOrDocument(route: SiteRoute, href: string): Promise<Screen> {
  try {
    return await loadScreen(route)
  } catch (error) {
    if (!loadDocument(href)) throw error
    // The promise never settles, because the browser is leaving the document.
    return new Promise(() => undefined)
  }
}

/** Returns null after a failure or if the payload is of another build. The page's loader runs instead. */
async function fetchPayload(app: AppContext, url: URL, aborted: AbortSignal): Promise<PagePayload | null> {
  const path = `${url.pathname === '/' ? '' : url.pathname}/_payload.json${url.search}`
  try {
    const signal = AbortSignal.any([aborted, AbortSignal.timeout(PAYLOAD_TIMEOUT_MS)])
    const response = await fetch(path, { headers: { Accept: 'application/json' }, signal })
    if (!response.ok) return null
    // The cast is safe, because web/entry-server.tsx of the same build made the reply.
    const payload = (await response.json()) as PagePayload
    return payload.buildId === app.page.buildId ? payload : null
  } catch (error) {
    if (aborted.aborted) throw error
    return null
  }
}
