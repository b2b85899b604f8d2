import type { ComponentType } from 'react'
import { type Api, CallError, type PageSession } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'

export type LoaderInput = {
  /** Aborted when the visitor navigates away. */
  api: Api
  url: URL
  params: Readonly<Record<string, string | undefined>>
  locale: Locale
  session: { status: PageSession['status'] | 'loading'; user: PageSession['user'] }
  /** The time of the rendering on the server, or of the navigation in the browser. ISO 8601. */
  now: string
}

export type Screen = {
  Page: ComponentType
  /** The screen fetches changes of its query through the query cache, so its loader runs on arrival only. */
  ownsQuery?: true
  /** Returns JSON only, since the page embeds it. */
  loader?: (input: LoaderInput) => Promise<unknown>
}

/** A loader throws it to show another page of this site. */
export class Redirect extends Error {
  override name = 'Redirect'
  readonly location: string

  /** `location`: path and query. */
  constructor(location: string) {
    super(`to ${location}`)
    this.location = location
  }
}

/** Closed pages answer the same. */
export function notThere(): CallError {
  return new CallError({ httpStatus: 404, code: 'NOT_FOUND', message: '' })
}

/** Home opens the login dialog, which then leads to `redirect`. */
export function signInPath(wanted: Pick<URL, 'pathname' | 'search'>): string {
  return `/?login=1&redirect=${encodeURIComponent(wanted.pathname + wanted.search)}`
}
