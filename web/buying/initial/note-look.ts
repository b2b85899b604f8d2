const NOTE = 'mb-2 rounded-sm px-3 py-2 text-[14px]'

/**
 * The class names of a note. With `soon` the reader must do something first, with `error` the outcome is unknown, and
 * with `plain` the price could not be loaded.
 */
export const NOTE_LOOKS = {
  soon: `${NOTE} bg-soon-wash text-soon`,
  error: `${NOTE} bg-error-wash text-error`,
  plain: `${NOTE} text-error`,
} as const
