const NOTE = 'mb-2 rounded-sm px-3 py-2 text-[14px]'

/** The CSS classes of notes: `soon` for a needed action, `error` for an unknown outcome, `plain` for no price. */
export const NOTE_LOOKS = {
  soon: `${NOTE} bg-soon-wash text-soon`,
  error: `${NOTE} bg-error-wash text-error`,
  plain: `${NOTE} text-error`,
} as const
