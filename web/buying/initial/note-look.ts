const NOTE = 'mb-2 rounded-sm px-3 py-2 text-[14px]'

/**
 * `soon` means that the reader must do something first, `error` that the outcome is unknown, and `plain` that the price
 * could not be loaded.
 */
export const NOTE_LOOKS = {
  soon: `${NOTE} bg-soon-wash text-soon`,
  error: `${NOTE} bg-error-wash text-error`,
  plain: `${NOTE} text-error`,
} as const
