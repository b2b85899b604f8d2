/**
 * The types of the whole tree, as `tsc` judges them, and every promise that nobody awaits or catches (.oxlintrc.json).
 * One program for both: each would read all types for itself.
 */
export const TYPES_AND_PROMISES = ['node_modules/oxlint/bin/oxlint', '--format=unix']
