import type { Config } from '#server/house/config/config.ts'

/**
 * A step changes the rows that fulfil the SQL condition `rows`, in which `$before` is now less `keepMs`. Rows are
 * deleted, or updated if `blank` gives a SET clause.
 */
export type Step = { rows: string; keepMs?: (config: Config) => number; blank?: string }

/**
 * The fate of rows about a person whose account is deleted (server/core/privacy/deletion/). `gone`: deleted by
 * `user_id`. `with-its-row`: deleted with the row they belong to. `blanked`: emptied. `kept`: their user id leads to
 * nobody.
 */
export type Person = 'gone' | 'with-its-row' | 'blanked' | 'kept'

/** `person` marks tables about a person, who gets their rows on request (server/core/privacy/sections/). */
export type Rule = { why: string; person?: Person; steps?: readonly Step[] }

/** The rule of a table whose rows are deleted after their `expires_at`. */
export function expiring(why: string, person?: Person): Rule {
  return { why, ...(person && { person }), steps: [{ rows: 'expires_at <= $before' }] }
}
