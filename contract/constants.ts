/** The constants of product.md section 9, each named once. Milliseconds end in _MS, seconds in _SECONDS. */
export const ALERT_LIFETIME_MS = 5_000
export const ALERT_STAGGER_MS = 300
export const ALERTS_SHOWN_DESKTOP = 2
export const ALERTS_SHOWN_MOBILE = 1
export const ALERT_REPLACE_DELAY_MS = 300

export const CLIENT_PAGE_SIZE = 20
export const SERVER_PAGE_SIZE = 10
/** The shape of the lists of services and countries that the page asks for (product.md section 3). */
export const CATALOG_VERSION = 2
/** No list call answers more rows than this at once, `load=all` apart. */
export const MAX_PAGE_SIZE = 100

/** For how long a number can be rented (design.md, Buying), in hours. */
export const RENT_PERIODS_HOURS = [4, 24, 72, 168, 336, 720, 1440] as const
export const DEFAULT_RENT_PERIOD_HOURS = 24
/** How long a pre-order may wait, in hours. */
export const PREORDER_HOURS = [1, 6, 24, 72, 168] as const

export const SESSION_REFRESH_MS = 60_000
export const REALTIME_PORT = 6001
export const LISTEN_DELAY_MS = 500

export const THEME_SWITCH_MS = 300
export const THEME_END_MS = 600

/** Where a place in the page is scrolled to, from the top: under the header, which sticks. */
export const SCROLL_OFFSET_PX = 70
/** The same for a field with a mistake: what stands above it, its heading and its words, is seen too. */
export const SCROLL_OFFSET_FAR_PX = 250
/** A page that loaded itself anew does not do so again within this time: whatever made it do so is not cured by it. */
export const RELOAD_GUARD_MS = 10_000
/** How often an open page asks whether the site has been built anew. */
export const BUILD_CHECK_MS = 300_000
/** Screens whose code is fetched ahead at the same time. */
export const MAX_ROUTE_PRELOADS = 4

export const LOCALE_COOKIE_SECONDS = 365 * 24 * 60 * 60

export const LOCALES = ['ru', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** The record of a live event is in this language; `names` beside it has the names in every one. */
export const DEFAULT_LIVE_LOCALE: Locale = 'ru'
