import type { Api, PageSession } from './calls/calls.ts'
import type { Locale } from './constants.ts'
import type { Currency } from './money.ts'
import type { SiteSettings } from './user.ts'

/** The cookie holds the time zone of the browser, so that the server can render times. */
export const TIME_ZONE_COOKIE = 'time_zone'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** The name of the zone travels in the header `Zone` of every call. */
export type Zone = { name: string; currency: Currency }

/** A page request carries all inputs, because the renderer reads no clock, randomness or environment. */
export type PageRequest = {
  url: URL
  locale: Locale
  locales: Locale[]
  theme: Theme
  /** The IANA time zone of the member's browser, from an earlier visit; null if unknown or for a visitor. */
  browserTimeZone: string | null
  zone: Zone
  session: PageSession
  settings: SiteSettings
  api: Api
  /** The server's time in ISO 8601; countdowns start from it on server and browser. */
  now: string
  /** The zone's origin for canonical links, without a trailing slash. */
  publicUrl: string
  /** Hosts of the site in each language, the current one included; empty when there are no others. */
  alternates: { locale: Locale; origin: string }[]
  indexing: boolean
  /** If set, the page shows this refusal instead of its content, and no loader runs. */
  refused: { httpStatus: number; code: string; message: string } | null
}

type PageRedirect = { kind: 'redirect'; location: string }

/** `error` is for the log; the page never shows it. */
export type PageReply = { kind: 'page'; status: number; html: string; error?: unknown } | PageRedirect

export type PayloadReply = { kind: 'payload'; status: number; payload: PagePayload; error?: unknown } | PageRedirect

export type PagePayload = { buildId: string; now: string; loaderData: Record<string, unknown> }

export type PageRoute = {
  name: string
  path: string
  access: 'public' | 'signed-in' | 'staff'
  query: readonly string[]
}

/** The exports of dist/server/entry-server.js. */
export type PageRenderer = {
  /** The build id is part of every cache key. */
  buildId: string
  routes: readonly PageRoute[]
  /** A failing loader gives a page of status 404, 500 or 503. The promise rejects only when rendering fails. */
  render(page: PageRequest): Promise<PageReply>
  payload(page: PageRequest): Promise<PayloadReply>
}
