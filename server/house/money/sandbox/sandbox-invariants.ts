import type { Invariant } from '../invariant.ts'
import { STRAYED } from '../movement-kinds.ts'

const ACCOUNTS = 'SELECT count(*) FROM accounts'

const ownKinds: Invariant = {
  name: 'play money is given to sandbox accounts alone, and moves there by purchases alone',
  counted: 'SELECT count(*) FROM checked_transfers',
  problems: `SELECT format('transfer %s of user %s is a %s, and the account %s', t.id, t.user_id, t.kind,
      CASE WHEN a.sandbox THEN 'is a sandbox' ELSE 'is none of a sandbox' END) AS problem
    FROM checked_transfers t LEFT JOIN accounts a USING (user_id) WHERE ${STRAYED}`,
  proof: 'SELECT strayed = 0 AS holds FROM transfer_tally',
}

/** SQL that is true until the first sandbox API key. Two look-ups then replace the sandbox's recount. */
const UNUSED = 'NOT EXISTS (SELECT FROM accounts WHERE sandbox) AND NOT EXISTS (SELECT FROM api_keys WHERE sandbox)'

const ORDERS = `SELECT 'activation' AS noun, id, user_id, supplier_id, api_key_id FROM checked_activations
    UNION ALL SELECT 'rental', r.id, r.user_id, r.supplier_id, c.api_key_id
    FROM checked_rentals r LEFT JOIN checked_charges c ON c.rental_id = r.id`

const ordersApart: Invariant = {
  name: 'an order of a sandbox account is of the supplier of the sandbox and by a sandbox key, and no other is',
  counted: 'SELECT count(*) FROM checked_activations',
  problems: `SELECT DISTINCT format('%s %s: the account of user %s is %s, supplier %s %s, key %s %s', noun, o.id, o.user_id,
      ${told('a.sandbox')}, o.supplier_id, ${told('s.sandbox')}, COALESCE(o.api_key_id::text, 'none'), ${told('k.sandbox')}) AS problem
    FROM (${ORDERS}) o LEFT JOIN accounts a USING (user_id) LEFT JOIN suppliers s ON s.id = o.supplier_id
      LEFT JOIN api_keys k ON k.id = o.api_key_id
    WHERE a.sandbox IS DISTINCT FROM s.sandbox OR k.sandbox <> a.sandbox
    UNION ALL
    SELECT format('pre-order %s is of user %s, whose account is a sandbox', p.id, p.user_id)
    FROM checked_preorders p JOIN accounts a USING (user_id) WHERE a.sandbox`,
  proof: `SELECT ${UNUSED} AND (SELECT play FROM activations_tally) = 0
    AND NOT EXISTS (SELECT FROM rentals WHERE supplier_id = (SELECT id FROM suppliers WHERE sandbox)) AS holds`,
}

function told(sandbox: string): string {
  return `CASE WHEN ${sandbox} THEN 'play' ELSE 'real' END`
}

const shadowsAlone: Invariant = {
  name: 'the account of each shadow is a sandbox, in the currency of its owner, and no other account is',
  counted: ACCOUNTS,
  problems: `SELECT format('user %s is %s, and the account %s in %s', u.id, COALESCE('the shadow of user ' || u.sandbox_of, 'no shadow'),
      CASE WHEN a.sandbox THEN 'a sandbox' ELSE 'none' END, a.currency) AS problem
    FROM accounts a JOIN users u ON u.id = a.user_id LEFT JOIN accounts o ON o.user_id = u.sandbox_of
    WHERE a.sandbox <> (u.sandbox_of IS NOT NULL) OR (u.sandbox_of IS NOT NULL AND (o.sandbox OR o.currency IS DISTINCT FROM a.currency))`,
}

/** Play money is summed separately, so that its errors cannot hide errors with real money. */
const allAccountedFor: Invariant = {
  name: 'the play money that was given is what sandboxes have, hold and have spent, less what came back',
  counted: ACCOUNTS,
  problems: `SELECT format('%s: %s were given, sandboxes have and hold %s, and have spent %s', currency, given, kept, spent) AS problem
    FROM (
      SELECT a.currency, sum(a.available_micros + a.held_micros) AS kept, COALESCE(sum(t.given), 0) AS given, COALESCE(sum(t.spent), 0) AS spent
      FROM accounts a LEFT JOIN (
        SELECT user_id, sum(amount_micros) FILTER (WHERE kind = 'sandbox_credit') AS given,
          sum(CASE kind WHEN 'capture' THEN amount_micros WHEN 'refund' THEN -amount_micros ELSE 0 END) AS spent
        FROM transfers WHERE user_id IN (SELECT user_id FROM accounts WHERE sandbox) GROUP BY user_id
      ) t USING (user_id) WHERE a.sandbox GROUP BY a.currency
    ) sums WHERE given <> kept + spent`,
  proof: `SELECT ${UNUSED} AS holds`,
  since: null,
}

export const sandboxInvariants: readonly Invariant[] = [ownKinds, ordersApart, shadowsAlone, allAccountedFor]
