export const SHARE_WINDOWS = ['15m', '1h', '24h'] as const
export const SUPPLIER_CODE_MAX_LENGTH = 64
/** The reason for pausing or resuming a supplier is stored in the supplier's events and in the audit log. */
export const SUPPLY_REASON_MAX_LENGTH = 200
export const MUTE_HOURS = [1, 8, 24, 168] as const
export const SUPPLY_REFRESH_SECONDS = 10
