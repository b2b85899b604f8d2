import type { Invariant } from '#server/house/money/invariant.ts'

const REWARDS = 'SELECT count(*) FROM loyalty_rewards'

/** Builds the SQL of a rule about loyalty rewards. After a checkpoint only rewards that moved money can differ. */
const ofRewards = (problems: (rewards: string) => string): Pick<Invariant, 'problems' | 'since'> => ({
  problems: problems('loyalty_rewards'),
  since: () =>
    problems(`(SELECT * FROM loyalty_rewards WHERE id IN
      (SELECT loyalty_reward_id FROM checked_transfers WHERE loyalty_reward_id IS NOT NULL))`),
})

const givenOnce: Invariant = {
  name: 'a loyalty reward was given once, to the account that topped up',
  counted: REWARDS,
  ...ofRewards(
    (
      rewards,
    ) => `SELECT format('loyalty reward %s of user %s is %s: its transfers say %s, %s of them are of others or have no key', r.id,
      r.user_id, r.reward_micros, moves.micros, moves.strangers) AS problem
    FROM ${rewards} r CROSS JOIN LATERAL (
      SELECT COALESCE(sum(CASE kind WHEN 'loyalty' THEN amount_micros WHEN 'loyalty_back' THEN -amount_micros END), 0) AS micros,
        count(*) FILTER (WHERE t.user_id <> r.user_id OR t.currency <> r.currency
          OR kind <> 'debt' AND t.idempotency_key IS NULL) AS strangers
      FROM transfers t WHERE t.loyalty_reward_id = r.id
    ) moves
    WHERE moves.micros <> r.reward_micros OR moves.strangers > 0`,
  ),
}

/** A refund after a reward leaves the counted top-ups too high until the next run, so only deposits limit them. */
const ofItsRank: Invariant = {
  name: 'a loyalty reward is the share of its rank, and of no more than was topped up in its period',
  counted: REWARDS,
  ...ofRewards(
    (
      rewards,
    ) => `SELECT format('loyalty reward %s of user %s is %s, by %s hundredths of a per cent of %s: its period says %s of %s at most',
      id, user_id, reward_micros, points, top_up_micros, due_points, arrived) AS problem
    FROM (
      SELECT r.*, COALESCE((SELECT max(k.points) FROM loyalty_ranks k WHERE k.period_id = r.period_id
          AND k.currency = r.currency AND k.top_up_micros <= r.top_up_micros), 0) AS due_points,
        COALESCE((SELECT sum(t.amount_micros) FROM payments p JOIN deposits d ON d.payment_id = p.id
            JOIN transfers t ON t.deposit_id = d.id AND t.kind = 'topup'
          WHERE p.user_id = r.user_id AND d.at >= l.begins_at AND d.at < l.ends_at), 0) AS arrived
      FROM ${rewards} r JOIN loyalty_periods l ON l.id = r.period_id
    ) counted
    WHERE points <> due_points OR top_up_micros > arrived
      OR reward_micros <> div(top_up_micros::numeric * points, 100000000) * 10000`,
  ),
}

const periodsApart: Invariant = {
  name: 'no top-up counts in two periods of loyalty',
  counted: 'SELECT count(*) FROM loyalty_periods',
  problems: `SELECT format('loyalty periods %s and %s overlap', a.id, b.id) AS problem FROM loyalty_periods a
    JOIN loyalty_periods b ON b.id > a.id AND b.begins_at < a.ends_at AND b.ends_at > a.begins_at`,
}

export const loyaltyInvariants: readonly Invariant[] = [givenOnce, ofItsRank, periodsApart]
