export const SHARE_WINDOWS = ['15m', '1h', '24h'] as const
export const SUPPLIER_CODE_MAX_LENGTH = 64
/** Of a pause and its end; it stands in the events and in the audit log. */
export const SUPPLY_REASON_MAX_LENGTH = 200
/** For how long an alarm may be muted. */
export const MUTE_HOURS = [1, 8, 24, 168] as const
/** How often the page asks anew while it is seen. */
export const SUPPLY_REFRESH_SECONDS = 10
