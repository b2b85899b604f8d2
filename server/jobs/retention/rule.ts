import type { Config } from '#server/config/config.ts'

/** Rows that fulfil `rows`, as SQL with `$before` (now less `keepMs`), are deleted, or changed by `blank`, a SET clause. */
export type Step = { rows: string; keepMs?: (config: Config) => number; blank?: string }

/** `person`: rows of it are about somebody, who is given them and may have them deleted (server/privacy/). */
export type Rule = { why: string; person?: true; steps?: readonly Step[] }

/** Whose rows are gone when they have run out. */
export function expiring(why: string, person?: true): Rule {
  return { why, ...(person && { person }), steps: [{ rows: 'expires_at <= $before' }] }
}
