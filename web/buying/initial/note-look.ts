const NOTE = 'mb-2 rounded-sm px-3 py-2 text-[14px]'

/** The classes of notes: `soon` requires an action, `error` is an unknown outcome, `plain` is a missing price. */
export const NOTE_LOOKS = {
  soon: `${NOTE} bg-soon-wash text-soon`,
  error: `${NOTE} bg-error-wash text-error`,
  plain: `${NOTE} text-error`,
} as const
