import type { Invariant } from './invariant.ts'

const lostIsTaken: Invariant = {
  name: 'a deposit of a chain that is in no block any more is taken back, and one that is in a block is not',
  counted: 'SELECT count(*) FROM chain_deposits',
  problems: `SELECT format('deposit %s of user %s in %s: %s, and %s', d.id, d.user_id, d.tx_hash,
      CASE WHEN d.lost_at IS NULL THEN 'in a block' ELSE 'lost' END, CASE WHEN l.stands THEN 'taken back' ELSE 'not taken back' END) AS problem
    FROM chain_deposits d CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM chain_losses WHERE deposit_id = d.id AND state <> 'won') AS stands
    ) l
    WHERE d.state = 'valued' AND (d.lost_at IS NOT NULL) <> l.stands`,
}

export const chainInvariants: readonly Invariant[] = [lostIsTaken]
