import type { PageSession } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'
import type { Theme, Zone } from '#contract/page-request.ts'
import type { SiteSettings } from '#contract/user.ts'

/** What a page carries besides its HTML, so that the browser's first rendering equals the server's. */
export type PageData = {
  buildId: string
  now: string
  locale: Locale
  locales: Locale[]
  theme: Theme
  zone: Zone
  session: PageSession
  settings: SiteSettings
  publicUrl: string
  alternates: { locale: Locale; origin: string }[]
  indexing: boolean
  loaderData: Record<string, unknown>
  /** Why the page could not be shown, when it could not. */
  failure: PageFailure | null
}

export type PageFailure = { httpStatus: number; code: string; message: string }

export const PAGE_DATA_ID = 'page-data'

/** JSON that can stand inside a script element: no `<` ends it early, and no line separator breaks it. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The page data of the document that was loaded. */
export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (!text) throw new Error('the page came without its data')
  // Written by the same build on the server: see web/entry-server.tsx.
  return JSON.parse(text) as PageData
}
