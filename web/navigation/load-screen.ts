import type { DataRouteMatch, DataRouteObject, RouterContextProvider } from 'react-router'
import type { PagePayload } from '#contract/page-request.ts'
import { SECOND } from '#contract/time.ts'
import type { Frame } from '#web/frame.ts'
import { ROUTES, textsOf } from '#web/routes.ts'
import { completeTexts } from '#web/text/complete-texts.tsx'
import { loadDocument } from './load-document.ts'
import type { PageRouterOptions } from './page-router.ts'

const PAYLOAD_TIMEOUT_MS = 10 * SECOND

/**
 * How the browser gets a screen. A visitor going to a public page takes its ready data in one request, which the server
 * keeps compressed; a signed-in user's loaders run here and ask for what is theirs. A payload that cannot be had, or is
 * of another build, is no failure: the loader runs instead.
 */
export function screenLoading(frame: Frame, newContext: () => RouterContextProvider): PageRouterOptions['load'] {
  return async ({ route, params }, request) => {
    const isPublic = ROUTES.some(({ name, access }) => name === route.id && access === 'public')
    const isVisitor = frame.session.get().status === 'unauthenticated'
    const wantsPayload = isPublic && isVisitor
    const [payload] = await Promise.all([
      wantsPayload ? fetchPayload(frame, request) : null,
      codeOrDocument(route, request.url),
      // Members see their tickets on any screen that has room for them.
      isVisitor && textsOf(route.id) === 'first' ? null : completeTexts(frame),
    ])
    if (payload !== null && route.id in payload.loaderData) return payload.loaderData[route.id]
    if (typeof route.loader !== 'function') return null
    const url = new URL(request.url)
    return route.loader({ request, url, params, pattern: route.path ?? '', context: newContext() })
  }
}

/** The code of the screens that are on the page must be here before hydration, or a placeholder would replace them. */
export async function loadCodeOf(matches: DataRouteMatch[]): Promise<void> {
  await Promise.all(matches.map(({ route }) => loadCode(route)))
}

/** Code that cannot be had is mostly of an older build, which the server holds no more. The page itself it still has. */
async function codeOrDocument(route: DataRouteObject, href: string): Promise<void> {
  try {
    await loadCode(route)
  } catch (error) {
    if (!loadDocument(href)) throw error
    // The document goes: nothing that came now would be seen.
    await new Promise(() => undefined)
  }
}

/** Brings the code of a screen, once. */
export async function loadCode(route: DataRouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return
  Object.assign(route, { ...(await route.lazy()), lazy: undefined })
}

async function fetchPayload(frame: Frame, request: Request): Promise<PagePayload | null> {
  const url = new URL(request.url)
  const path = `${url.pathname === '/' ? '' : url.pathname}/_payload.json${url.search}`
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PAYLOAD_TIMEOUT_MS)])
    const response = await fetch(path, { headers: { Accept: 'application/json' }, signal })
    if (!response.ok) return null
    // Answered by web/entry-server.tsx of the build named in it.
    const payload = (await response.json()) as PagePayload
    return payload.buildId === frame.page.buildId ? payload : null
  } catch (error) {
    if (request.signal.aborted) throw error
    return null
  }
}
