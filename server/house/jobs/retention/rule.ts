import type { Config } from '#server/house/config/config.ts'

/**
 * A step of the clean-up deletes rows for which the SQL condition `rows` is true, or updates them with the SET clause
 * `blank`. `$before` is the current time less `keepMs`.
 */
export type Step = { rows: string; keepMs?: (config: Config) => number; blank?: string }

/**
 * The fate of a row about a person whose account is deleted (server/core/privacy/deletion/):
 * - `gone`: the row is deleted by its `user_id`.
 * - `with-its-row`: the row is deleted together with the row that it refers to.
 * - `blanked`: the personal columns are emptied.
 * - `kept`: the row stays, and its user id leads to nobody.
 */
export type Person = 'gone' | 'with-its-row' | 'blanked' | 'kept'

/**
 * The retention rule of a table, with its reason `why`. `person` marks a table about people, who get its rows on
 * request (server/core/privacy/sections/).
 */
export type Rule = { why: string; person?: Person; steps?: readonly Step[] }

export function expiring(why: string, person?: Person): Rule {
  return { why, ...(person && { person }), steps: [{ rows: 'expires_at <= $before' }] }
}
