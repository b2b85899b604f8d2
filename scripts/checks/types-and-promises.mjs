/** One program checks types and promises, because each would load all types itself. */
export const TYPES_AND_PROMISES = ['node_modules/oxlint/bin/oxlint', '--format=unix']
