import type { Api, PageSession } from './calls/calls.ts'
import type { Locale } from './constants.ts'
import type { Currency } from './money.ts'
import type { SiteSettings } from './user.ts'

/** Holds the time zone of the browser, so that the server can draw times. */
export const TIME_ZONE_COOKIE = 'time_zone'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** The name travels in the header `Zone` of every call. */
export type Zone = { name: string; currency: Currency }

/** The renderer reads no clock, randomness or environment of its own. */
export type PageRequest = {
  url: URL
  locale: Locale
  locales: Locale[]
  theme: Theme
  /** The zone of the member's browser, an IANA name that a visit before has told. null: unknown, or a visitor. */
  browserTimeZone: string | null
  zone: Zone
  session: PageSession
  settings: SiteSettings
  api: Api
  /** ISO 8601; countdowns start from it on both sides. */
  now: string
  /** The zone's origin for canonical links, without a trailing slash. */
  publicUrl: string
  /** Hosts in other languages, this one included; empty when there are none. */
  alternates: { locale: Locale; origin: string }[]
  indexing: boolean
  /** While set, the page tells this instead of its content, and no loader runs. */
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
  /** Part of every cache key. */
  buildId: string
  routes: readonly PageRoute[]
  /** A failing loader gives a page of status 404, 500 or 503. Rejects only when rendering fails. */
  render(page: PageRequest): Promise<PageReply>
  payload(page: PageRequest): Promise<PayloadReply>
}
