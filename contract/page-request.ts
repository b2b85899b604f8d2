import type { Api, PageSession } from './calls/calls.ts'
import type { Currency } from './money.ts'
import type { InterfaceLocale } from './settings/languages.ts'
import type { SiteSettings } from './user.ts'

/** The cookie holds the browser's time zone, in which the server renders times. */
export const TIME_ZONE_COOKIE = 'time_zone'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** A zone of the site, with its currency. Every API call sends the zone's name in the header `Zone`. */
export type Zone = { name: string; currency: Currency }

/** A page request carries all inputs, because the renderer reads no clock, randomness or environment. */
export type PageRequest = {
  url: URL
  locale: InterfaceLocale
  locales: InterfaceLocale[]
  theme: Theme
  /** The IANA time zone of the member's browser, known from an earlier visit; null if unknown, and for visitors. */
  browserTimeZone: string | null
  zone: Zone
  session: PageSession
  settings: SiteSettings
  api: Api
  /** The server's time in ISO 8601, from which countdowns start on the server and in the browser. */
  now: string
  /** The origin for canonical links of the zone, without a trailing slash. */
  publicUrl: string
  /** The host of the site for each language, including the current one. Empty if the site has one host. */
  alternates: { locale: InterfaceLocale; origin: string }[]
  indexing: boolean
  /** If set, the page shows this refusal instead of its content, and no loader runs. */
  refused: { httpStatus: number; code: string; message: string } | null
}

type PageRedirect = { kind: 'redirect'; location: string }

/** `error` goes to the log; the page never shows it. */
export type PageReply = { kind: 'page'; status: number; html: string; error?: unknown } | PageRedirect

export type PayloadReply = { kind: 'payload'; status: number; payload: PagePayload; error?: unknown } | PageRedirect

export type PagePayload = { buildId: string; now: string; loaderData: Record<string, unknown> }

export type PageRoute = {
  name: string
  path: string
  access: 'public' | 'signed-in' | 'staff'
  query: readonly string[]
}

/** The interface that dist/server/entry-server.js exports. */
export type PageRenderer = {
  buildId: string
  routes: readonly PageRoute[]
  /** A failing loader gives a page of status 404, 500 or 503. The promise rejects only if rendering fails. */
  render(page: PageRequest): Promise<PageReply>
  payload(page: PageRequest): Promise<PayloadReply>
}
