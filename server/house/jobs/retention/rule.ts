import type { Config } from '#server/house/config/config.ts'

/**
 * A step changes the rows that fulfil the SQL condition `rows`, in which `$before` is now less `keepMs`. Rows are
 * deleted, or updated if `blank` gives a SET clause.
 */
export type Step = { rows: string; keepMs?: (config: Config) => number; blank?: string }

/**
 * What happens to rows about a person whose account is deleted (server/core/privacy/deletion/):
 * - `gone`: the row is deleted by its `user_id`.
 * - `with-its-row`: the row is deleted with the row that it belongs to.
 * - `blanked`: the row stays, but its contents are removed.
 * - `kept`: the row stays, and its user id no longer leads to a person.
 */
export type Person = 'gone' | 'with-its-row' | 'blanked' | 'kept'

/** `person` marks tables about a person, who gets their rows on request (server/core/privacy/sections/). */
export type Rule = { why: string; person?: Person; steps?: readonly Step[] }

/** The rule of a table whose rows are deleted after their `expires_at`. */
export function expiring(why: string, person?: Person): Rule {
  return { why, ...(person && { person }), steps: [{ rows: 'expires_at <= $before' }] }
}
