import type { Api, PageSession } from './calls/calls.ts'
import type { Locale } from './constants.ts'
import type { Currency } from './money.ts'
import type { SiteSettings } from './user.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** The zone a page is shown in: its name travels in the header `Zone` of every call. */
export type Zone = { name: string; currency: Currency }

/** All that a page is rendered from. The renderer reads no clock, no chance and no environment of its own. */
export type PageRequest = {
  /** The path and the query as asked for; the host is the public one. */
  url: URL
  locale: Locale
  /** The languages of this zone; with one there is no language menu. */
  locales: Locale[]
  theme: Theme
  zone: Zone
  session: PageSession
  settings: SiteSettings
  /** Calls of this visitor, answered in the same process. */
  api: Api
  /** The moment of rendering, ISO 8601: countdowns start from it on both sides. */
  now: string
  /** Origin for canonical links, that of the zone, without a trailing slash. */
  publicUrl: string
  /** The hosts on which the same pages stand in other languages, this one included; empty when there are none. */
  alternates: { locale: Locale; origin: string }[]
  /** Whether search engines may index the pages of this zone. */
  indexing: boolean
  /** While set, every page is status 503 with these words. */
  maintenance: string | null
}

type PageRedirect = { kind: 'redirect'; location: string }

/** `error` is what made the page a failure, for the log; its words are nowhere in the page. */
export type PageReply = { kind: 'page'; status: number; html: string; error?: unknown } | PageRedirect

export type PayloadReply = { kind: 'payload'; status: number; payload: PagePayload; error?: unknown } | PageRedirect

/** `GET {path}/_payload.json`: the loader data of a public page, by route name. */
export type PagePayload = { buildId: string; now: string; loaderData: Record<string, unknown> }

/** A screen as the server needs to know it. Parameters in `path` are written as the router does: `/faq/:category`. */
export type PageRoute = { name: string; path: string; access: 'public' | 'signed-in'; query: readonly string[] }

/** What the SSR bundle (dist/server/entry-server.js) exports. */
export type PageRenderer = {
  /** Changes with every build of the pages: part of every cache key. */
  buildId: string
  routes: readonly PageRoute[]
  /** A loader that fails makes a page of status 404, 500 or 503. Rejects only when rendering itself fails. */
  render(page: PageRequest): Promise<PageReply>
  payload(page: PageRequest): Promise<PayloadReply>
}
