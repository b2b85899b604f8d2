import { expect } from 'vitest'
import { verifyDelivery } from '#server/core/numbers/delivery/verify-delivery.ts'
import type { Context } from '#server/house/context.ts'
import { deltaOf } from '#server/house/money/checked-rows.ts'
import type { UserAccount } from '#server/house/money/movement-kinds.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import type { FakeSupplier } from '#test/fakes/fake-supplier.ts'
import type { World } from './world.ts'

export type Mark = { sold: number; rented: number }[]

export function mark({ suppliers }: World): Mark {
  return suppliers.map(({ sold, rent }) => ({ sold: sold.size, rented: rent.rented.size }))
}

/** Checks that buyers' books are right, no order is stuck between two states, and no sold number is forgotten. */
export async function checkCase(world: World, userIds: readonly number[], since: Mark): Promise<void> {
  const { db } = world.t.ctx
  const { rows } = await db.query<{ problem: string }>({ name: 'walk-check', text: PROBLEMS, values: [userIds] })
  const problems = rows.map(({ problem }) => problem)
  for (const [place, supplier] of world.suppliers.entries()) {
    const { sold, rented } = since[place] ?? { sold: 0, rented: 0 }
    const bought = [...supplier.sold].slice(sold)
    problems.push(...(await listLostSales(world.t.ctx, 'activations', bought, endingsOf(supplier))))
    const rents = [...supplier.rent.rented].slice(rented)
    const ended = new Map(supplier.rent.ended.map(({ supplierReference }) => [supplierReference, 'ended']))
    problems.push(...(await listLostSales(world.t.ctx, 'rentals', rents, ended)))
  }
  expect(problems).toEqual([])
}

export async function checkAll({ t }: World): Promise<void> {
  const books = await verifyLedger(t.ctx.db)
  const delivery = await verifyDelivery(t.ctx.db)
  expect([...books.checks, ...delivery.checks].flatMap(({ problems }) => problems)).toEqual([])
}

const SUM = (account: UserAccount) =>
  `COALESCE((SELECT sum(${deltaOf(account)}) FROM transfers t WHERE t.user_id = a.user_id), 0)`

const MOVES = (column: 'activation_id' | 'charge_id', table: 'activations' | 'charges') => `
  SELECT format('%s %s: its money is %s after %s holds and %s settlements', '${table}', o.id, o.money, holds, settled) FROM ${table} o
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE kind = 'hold') AS holds,
      count(*) FILTER (WHERE kind IN ('capture', 'release')) AS settled FROM transfers t WHERE t.${column} = o.id) moves
    WHERE o.user_id = ANY ($1) AND (holds <> 1 OR settled <> CASE o.money WHEN 'held' THEN 0 ELSE 1 END)`

const PROBLEMS = `
  SELECT format('user %s: available %s, held %s, debt %s and referral %s are not the sum of the transfers', user_id, available_micros, held_micros,
      debt_micros, referral_micros) AS problem
    FROM accounts a WHERE user_id = ANY ($1)
      AND (available_micros, held_micros, -debt_micros, referral_micros) IS DISTINCT FROM (${SUM('available')}, ${SUM('held')},
        ${SUM('debt')}, ${SUM('referral')})
  UNION ALL
  SELECT format('user %s: %s is held by nothing that is open', a.user_id, held_micros - open) FROM accounts a
    CROSS JOIN LATERAL (SELECT COALESCE(sum(price_micros), 0) AS open FROM (
      SELECT price_micros FROM activations o WHERE o.user_id = a.user_id AND money = 'held'
      UNION ALL SELECT price_micros FROM charges o WHERE o.user_id = a.user_id AND money = 'held') o) open
    WHERE a.user_id = ANY ($1) AND held_micros <> open
  UNION ALL ${MOVES('activation_id', 'activations')}
  UNION ALL ${MOVES('charge_id', 'charges')}
  UNION ALL SELECT format('activation %s is still reserving', id) FROM activations WHERE user_id = ANY ($1) AND state = 'reserving'
  UNION ALL SELECT format('rental %s is still reserving', id) FROM rentals WHERE user_id = ANY ($1) AND state = 'reserving'
  UNION ALL SELECT format('rental %s is still being extended', id) FROM rentals WHERE user_id = ANY ($1) AND extension_id IS NOT NULL
  UNION ALL SELECT format('pre-order %s is still buying', id) FROM preorders WHERE user_id = ANY ($1) AND state = 'buying'
  UNION ALL
  SELECT format('rental %s is for %s hours, and %s were granted', r.id, r.hours, granted) FROM rentals r
    CROSS JOIN LATERAL (SELECT COALESCE(sum(c.hours), 0) AS granted FROM charges c
      WHERE c.rental_id = r.id AND (c.purpose = 'rental' OR c.money = 'captured')) c
    WHERE r.user_id = ANY ($1) AND r.hours <> granted
  UNION ALL
  SELECT format('message %s was told to a program %s times', m.id, told) FROM messages m
    JOIN (SELECT id, user_id, 'activation:' || id AS subject, id AS activation_id, NULL::bigint AS rental_id FROM activations
      UNION ALL SELECT id, user_id, 'rental:' || id, NULL, id FROM rentals) o
      ON o.activation_id = m.activation_id OR o.rental_id = m.rental_id
    JOIN webhook_endpoints e ON e.user_id = o.user_id
    CROSS JOIN LATERAL (SELECT count(*) AS told FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.message_id = m.id AND d.subject = o.subject) d
    WHERE o.user_id = ANY ($1) AND told <> (m.given <> ALL ('{late,notice,opened,folded}'::text[]))::integer
  UNION ALL
  SELECT format('activation %s is %s, of which a program was told %s times', a.id, a.state, told) FROM activations a
    JOIN webhook_endpoints e ON e.user_id = a.user_id
    CROSS JOIN LATERAL (SELECT count(*) AS told FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.subject = 'activation:' || a.id AND d.event LIKE 'activation.%') d
    WHERE a.user_id = ANY ($1) AND told <> CASE WHEN a.state IN ('cancelled', 'used', 'expired') THEN 1 ELSE 0 END
  UNION ALL
  SELECT format('user %s has no account', id) FROM users WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM accounts WHERE user_id = users.id)`

/**
 * Maps each supplier reference to how its number was ended. Throws if a repeated report to the supplier differs from
 * the first.
 */
function endingsOf({ ended }: FakeSupplier): Map<string, string> {
  const endings = new Map<string, string>()
  for (const { number, ending } of ended) {
    const before = endings.get(number.supplierReference)
    if (before !== undefined && before !== ending) throw new Error(`${number.reference}: ${before}, and then ${ending}`)
    endings.set(number.supplierReference, ending)
  }
  return endings
}

const LIVE = new Set(['waiting', 'received', 'waiting_again', 'active'])

/** Lists sold numbers that no buyer has and that were not given back, and ended numbers unknown to the supplier. */
async function listLostSales(
  ctx: Context,
  table: 'activations' | 'rentals',
  sold: readonly (readonly [string, { supplierReference: string }])[],
  endings: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (sold.length === 0) return []
  const ids = sold.map(([reference]) => BigInt(/\d+/.exec(reference)?.[0] ?? 0))
  const { rows } = await ctx.db.query<{ id: bigint; state: string; supplier_reference: string | null }>({
    name: `walk-sold-${table}`,
    text: `SELECT id, state, supplier_reference FROM ${table} WHERE id = ANY ($1)`,
    values: [ids],
  })
  return sold.flatMap(([reference, { supplierReference }], place) => {
    const row = rows.find(({ id }) => id === ids[place])
    const ending = endings.get(supplierReference)
    const isOurs = row?.supplier_reference === supplierReference
    if (row !== undefined && isOurs && LIVE.has(row.state)) {
      return ending === undefined ? [] : [`${reference} is ${row.state}, and its supplier was told ${ending}`]
    }
    if (ending === undefined)
      return [`${reference} was sold, is ${row?.state ?? 'nothing'} here, and was not given back`]
    const wanted = isOurs && table === 'activations' ? row?.state : undefined
    const agrees = wanted === undefined || ending === wanted || (wanted === 'used' && ending === 'cancelled')
    return agrees ? [] : [`${reference} is ${wanted}, and its supplier was told ${ending}`]
  })
}
