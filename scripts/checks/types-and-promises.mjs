/** The command that checks both types and promises, because two programs would each load all types. */
export const TYPES_AND_PROMISES = ['node_modules/oxlint/bin/oxlint', '--format=unix']
