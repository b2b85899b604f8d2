const NOTE = 'mb-2 rounded-sm px-3 py-2 text-[14px]'

/**
 * The look `soon` means that the reader must do something first, and `error` that the outcome is unknown. `plain` means
 * that the price could not be loaded.
 */
export const NOTE_LOOKS = {
  soon: `${NOTE} bg-soon-wash text-soon`,
  error: `${NOTE} bg-error-wash text-error`,
  plain: `${NOTE} text-error`,
} as const
