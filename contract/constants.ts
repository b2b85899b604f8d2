/** The values of these constants come from specification 9. */
export const ALERT_LIFETIME_MS = 5_000
export const ALERT_STAGGER_MS = 300
export const ALERTS_SHOWN_DESKTOP = 2
export const ALERTS_SHOWN_MOBILE = 1
export const ALERT_REPLACE_DELAY_MS = 300

export const CLIENT_PAGE_SIZE = 20
export const SERVER_PAGE_SIZE = 10
export const CATALOG_VERSION = 2
/** The mark of fields that old programs may send and the reference does not list. OpenAPI's tools know the name. */
export const INTERNAL_FIELD = 'x-internal'
/** The maximum page size. Calls with `load=all` are exempt from this limit. */
export const MAX_PAGE_SIZE = 100

export const RENT_PERIODS_HOURS = [4, 24, 72, 168, 336, 720, 1440] as const
export const DEFAULT_RENT_PERIOD_HOURS = 24
export const PREORDER_HOURS = [1, 6, 24, 72, 168] as const

export const SESSION_REFRESH_MS = 60_000
export const REALTIME_PORT = 6001
export const LISTEN_DELAY_MS = 500

export const THEME_SWITCH_MS = 300
export const THEME_END_MS = 600

export const SCROLL_OFFSET_PX = 70
export const SCROLL_OFFSET_FAR_PX = 250
/** The page does not reload twice within this time, in ms, because a second reload would not help. */
export const RELOAD_GUARD_MS = 10_000
export const BUILD_CHECK_MS = 300_000
export const MAX_ROUTE_PRELOADS = 4
/** The maintenance page sends this as Retry-After, and polls at this interval until the site is back. */
export const MAINTENANCE_RETRY_SECONDS = 60

export const CHOICE_COOKIE_SECONDS = 365 * 24 * 60 * 60
/** A browser with this cookie wrote, or was told of news, a moment ago. No stand-by of the database answers it. */
export const FRESH_COOKIE = 'fresh'
export const FRESH_SECONDS = 5

/** The value of the setting `captchaEnabled` on a server that requires captchas. */
export const CAPTCHA_ON = '2'

export const LOCALES = ['ru', 'en'] as const
export type Locale = (typeof LOCALES)[number]

/** The language of the record in a live event. The event's field `names` has the names in every language. */
export const DEFAULT_LIVE_LOCALE: Locale = 'ru'

export const SEARCH_MAX_LENGTH = 100
