import type { Config } from '#server/house/config/config.ts'

/** Rows that fulfil `rows`, as SQL with `$before` (now less `keepMs`), are deleted, or changed by `blank`, a SET clause. */
export type Step = { rows: string; keepMs?: (config: Config) => number; blank?: string }

/**
 * The fate of rows about somebody whose account is deleted (server/core/privacy/deletion/). `gone`: they go by `user_id`.
 * `with-its-row`: with the row they belong to. `blanked`: of what they say. `kept`: they name a number that is nobody.
 */
export type Person = 'gone' | 'with-its-row' | 'blanked' | 'kept'

/** `person`: rows of it are about somebody, who is given them on request (server/core/privacy/sections/). */
export type Rule = { why: string; person?: Person; steps?: readonly Step[] }

/** Whose rows are gone when they have run out. */
export function expiring(why: string, person?: Person): Rule {
  return { why, ...(person && { person }), steps: [{ rows: 'expires_at <= $before' }] }
}
