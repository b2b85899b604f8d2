import type { PageSession } from '#contract/calls/calls.ts'
import type { Theme, Zone } from '#contract/page-request.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { SiteSettings } from '#contract/user.ts'

/** The page data is embedded beside the HTML, so that hydration equals the server's rendering. */
export type PageData = {
  buildId: string
  now: string
  locale: InterfaceLocale
  locales: InterfaceLocale[]
  theme: Theme
  browserTimeZone: string | null
  zone: Zone
  session: PageSession
  settings: SiteSettings
  publicUrl: string
  alternates: { locale: InterfaceLocale; origin: string }[]
  indexing: boolean
  loaderData: Record<string, unknown>
  failure: PageFailure | null
}

export type PageFailure = { httpStatus: number; code: string; message: string }

export const PAGE_DATA_ID = 'page-data'

/** Returns JSON for a script element, without line separators and `<`, which could end the element. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (!text) throw new Error('the page came without its data')
  // The cast is safe, because the same build wrote the data on the server (web/entry-server.tsx).
  return JSON.parse(text) as PageData
}
