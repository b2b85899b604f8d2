import type { Invariant } from '#server/house/money/invariant.ts'

const problems = (
  rewards: string,
) => `SELECT format('channel reward %s of user %s is %s %s: its transfers say %s of %s', r.id, r.user_id, r.amount_micros, r.currency,
      moved.micros, COALESCE(moved.owner::text, 'nobody')) AS problem
    FROM ${rewards} r CROSS JOIN LATERAL (
      SELECT COALESCE(sum(amount_micros), 0) AS micros, min(t.user_id) AS owner, min(t.currency) AS currency
      FROM transfers t WHERE t.channel_reward_id = r.id
    ) moved
    WHERE (moved.micros, moved.owner, moved.currency) IS DISTINCT FROM (r.amount_micros::numeric, r.user_id, r.currency)`

const givenOnce: Invariant = {
  name: 'a reward for the channel was given once, to its account',
  counted: 'SELECT count(*) FROM channel_rewards',
  problems: problems('channel_rewards'),
  since: () =>
    problems(`(SELECT * FROM channel_rewards WHERE id IN
      (SELECT channel_reward_id FROM checked_transfers WHERE channel_reward_id IS NOT NULL))`),
}

export const channelInvariants: readonly Invariant[] = [givenOnce]
