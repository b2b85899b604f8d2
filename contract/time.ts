/** Durations are in milliseconds. Write `2 * MINUTE`, never a bare product of numbers. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Sizes are in bytes. */
export const KIBIBYTE = 1_024
export const MEBIBYTE = 1_024 * KIBIBYTE
export const GIBIBYTE = 1_024 * MEBIBYTE
