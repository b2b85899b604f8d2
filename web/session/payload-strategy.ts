import type { DataStrategyFunction, DataStrategyResult } from 'react-router'
import type { PagePayload } from '#contract/page-request.ts'
import { SECOND } from '#contract/time.ts'
import type { Frame } from '../frame.ts'
import { ROUTES } from '../routes.ts'

const PAYLOAD_TIMEOUT_MS = 10 * SECOND

/**
 * How the browser runs loaders. A visitor going to a public page takes its ready data in one request, which the server
 * keeps compressed; a signed-in user's loaders run here and ask for what is theirs. A payload that cannot be had, or is
 * of another build, is no failure: the loader runs instead.
 */
export function payloadStrategy(frame: Frame): DataStrategyFunction {
  return async ({ matches, request }) => {
    const called = matches.filter((match) => match.shouldCallHandler())
    const screen = matches.at(-1)
    const isPublic = ROUTES.some(({ name, access }) => name === screen?.route.id && access === 'public')
    const wantsPayload = isPublic && called.length > 0 && frame.session.get().status === 'unauthenticated'
    const payload = wantsPayload ? fetchPayload(frame, request) : Promise.resolve(null)
    const results = await Promise.all(
      called.map(async (match): Promise<[string, DataStrategyResult]> => {
        const result = await match.resolve(async (handler) => {
          const loaded = (await payload)?.loaderData
          return loaded !== undefined && match.route.id in loaded ? loaded[match.route.id] : handler()
        })
        return [match.route.id, result]
      }),
    )
    return Object.fromEntries(results)
  }
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
