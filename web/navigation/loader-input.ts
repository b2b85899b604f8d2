import type { ComponentType } from 'react'
import { type Api, CallError, type PageSession } from '#contract/calls/calls.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'

export type LoaderInput = {
  api: Api
  url: URL
  params: Readonly<Record<string, string | undefined>>
  locale: InterfaceLocale
  session: { status: PageSession['status'] | 'loading'; user: PageSession['user'] }
  /** The time in ISO 8601 of the rendering on the server, or of the navigation in the browser. */
  now: string
}

export type Screen = {
  Page: ComponentType
  /** If true, a change of the URL's query does not run the loader, because the screen fetches new data itself. */
  ownsQuery?: true
  /** The loader returns only JSON, because the page embeds the data. */
  loader?: (input: LoaderInput) => Promise<unknown>
}

/** A loader throws this error to show another page of this site. */
export class Redirect extends Error {
  override name = 'Redirect'
  readonly location: string

  constructor(location: string) {
    super(`to ${location}`)
    this.location = location
  }
}

/** Returns the error of a missing page. Closed pages throw the same error. */
export function notThere(): CallError {
  return new CallError({ httpStatus: 404, code: 'NOT_FOUND', message: '' })
}

/** Returns the path that opens the login dialog on the home page. After the sign-in the user returns to `wanted`. */
export function signInPath(wanted: Pick<URL, 'pathname' | 'search'>): string {
  return `/?login=1&redirect=${encodeURIComponent(wanted.pathname + wanted.search)}`
}
