import type { Currency } from '#contract/money.ts'
import type { BonusKind } from '#contract/payment.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

export type BonusRuleTerms = {
  name: string
  kind: BonusKind
  currency: Currency
  leastMicros: bigint
  points: number | null
  amountMicros: bigint | null
  mostMicros: bigint | null
  beginsAt: Date
  endsAt: Date | null
}

/** Inserts a bonus rule and returns its id. Returns null if the name is taken. */
export async function insertBonusRule(tx: Db, row: BonusRuleTerms & { now: Date }): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    text: `INSERT INTO bonus_rules (name, kind, currency, least_micros, points, amount_micros, most_micros, begins_at, ends_at, created_at)
      VALUES ($name, $kind, $currency, $leastMicros, $points, $amountMicros, $mostMicros, $beginsAt, $endsAt, $now)
      ON CONFLICT ON CONSTRAINT bonus_rules_name_once DO NOTHING RETURNING id`,
    values: row,
  })
  return rows[0]?.id ?? null
}

/** Ends a bonus rule. Returns false if no rule has this name, or if the rule has already ended. */
export async function endBonusRule(tx: Db, input: { name: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'UPDATE bonus_rules SET ends_at = $now WHERE name = $name AND (ends_at IS NULL OR ends_at > $now)',
    values: input,
  })
  return rowCount === 1
}

export type BonusRuleSheet = BonusRuleTerms & { id: number; granted: bigint; grantedMicros: bigint }

export async function listBonusRules(
  db: Db,
  input: { after: bigint | null; limit: number },
): Promise<BonusRuleSheet[]> {
  const { rows } = await db.query<BonusRuleSheet>({
    text: `SELECT r.id, name, kind, currency, least_micros AS "leastMicros", points, r.amount_micros AS "amountMicros",
        most_micros AS "mostMicros", begins_at AS "beginsAt", ends_at AS "endsAt", given.granted, given.micros AS "grantedMicros"
      FROM bonus_rules r CROSS JOIN LATERAL (
        SELECT count(*) AS granted, COALESCE(sum(amount_micros), 0)::bigint AS micros FROM bonus_grants WHERE rule_id = r.id
      ) given
      WHERE $after::bigint IS NULL OR r.id < $after ORDER BY r.id DESC LIMIT $limit`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
