import type { Invariant } from './invariant.ts'

const FORFEITS = `kind IN ('forfeit', 'referral_forfeit')`

const gaveUp: Invariant = {
  name: 'only who has left gave money up, once, and no more than was said',
  counted: `SELECT count(*) FROM account_deletions WHERE gives_up_micros > 0`,
  problems: `SELECT format('user %s gave up %s: the deletion of the account is %s, and says at most %s', t.user_id, t.micros,
      COALESCE(d.state, 'not there'), COALESCE(d.gives_up_micros, 0)) AS problem
    FROM (
      SELECT user_id, split_part(idempotency_key, ':', 2) AS deletion, sum(amount_micros) AS micros
      FROM checked_transfers WHERE ${FORFEITS} GROUP BY 1, 2
    ) t LEFT JOIN account_deletions d ON d.user_id = t.user_id AND d.id::text = t.deletion
    WHERE d.state IS NULL OR d.state NOT IN ('erasing', 'erased') OR t.micros > d.gives_up_micros`,
}

export const deletionInvariants: readonly Invariant[] = [gaveUp]
