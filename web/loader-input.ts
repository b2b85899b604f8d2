import type { ComponentType } from 'react'
import { type Api, CallError, type PageSession } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'

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

/** Thrown by a loader: another page of this site is shown instead. */
export class Redirect extends Error {
  override name = 'Redirect'
  readonly location: string

  /** `location` is a path with its query. */
  constructor(location: string) {
    super(`to ${location}`)
    this.location = location
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
