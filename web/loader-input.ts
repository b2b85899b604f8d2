import type { ComponentType } from 'react'
import { createContext, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { type Api, CallError, type PageSession } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'
import type { SiteRoute } from './routes.ts'

/** What a screen's loader is given, the same on the server and in the browser. */
export type LoaderInput = {
  /** Aborted by itself when the visitor goes elsewhere. */
  api: Api
  /** The address of the page being loaded. */
  url: URL
  params: Readonly<Record<string, string | undefined>>
  locale: Locale
  session: { status: PageSession['status'] | 'loading' }
  /** The moment of the rendering on the server, or of the navigation in the browser. ISO 8601. */
  now: string
}

/** What the file of a screen exports. */
export type Screen = {
  Page: ComponentType
  /** The screen itself fetches what a change of its query asks for (through the query cache): its loader runs on arrival. */
  ownsQuery?: true
  /** JSON only: the reply travels inside the page. */
  loader?: (input: LoaderInput) => Promise<unknown>
}

/** What differs between the server and the browser; both put it into the router's context for each navigation. */
export type LoaderSource = Pick<LoaderInput, 'api' | 'locale' | 'session' | 'now'> & {
  /** Pages this visitor may not see, by the first part of their path. */
  closedPages: readonly string[]
}
export const loaderSource = createContext<LoaderSource>()

/** A screen's loader as the router wants it, behind the guard of its route. */
export function guardedLoader(route: SiteRoute, loader: Screen['loader']) {
  return async ({ context, request, params }: LoaderFunctionArgs): Promise<unknown> => {
    const source = context.get(loaderSource)
    const url = new URL(request.url)
    if (source.closedPages.includes(route.path.split('/')[1] ?? '')) throw notThere()
    if (route.access === 'signed-in' && source.session.status === 'unauthenticated') {
      throw redirect(signInPath(url))
    }
    const api: Api = (key, input, options) => source.api(key, input, { signal: request.signal, ...options })
    return loader === undefined ? null : loader({ ...source, api, url, params })
  }
}

/** For an address that has no page. A closed page is answered so, too. */
export function notThere(): CallError {
  return new CallError({ httpStatus: 404, code: 'NOT_FOUND', message: '' })
}

/** Where a visitor without a session is sent: the login dialog opens at home, and `redirect` is gone to after it. */
export function signInPath(wanted: Pick<URL, 'pathname' | 'search'>): string {
  return `/?login=1&redirect=${encodeURIComponent(wanted.pathname + wanted.search)}`
}

/** The data of the screen's own loader. */
export function useScreenData<Loader extends NonNullable<Screen['loader']>>(): Awaited<ReturnType<Loader>> {
  // The router keeps loader data untyped; the type argument names the loader that stands in the same file.
  return useLoaderData() as Awaited<ReturnType<Loader>>
}
