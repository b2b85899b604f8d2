import { ACTIVE_STATES } from '#contract/activation.ts'
import { type Claim, LATE_MS } from '#server/core/numbers/ownership/choose-owner.ts'
import { readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

/** The maximum number of activations, and of rentals, read for a number, which has at most one order per service. */
const MAX_CLAIMS = 50

type ClaimRow = {
  kind: Claim['kind']
  id: bigint
  user_id: number
  service_code: string
  is_waiting: boolean
  is_paid: boolean
  again_asked_at: Date | null
  ended_at: Date | null
}

const ACTIVATION = `'activation' AS kind, id, user_id, service_code, state IN ('waiting', 'waiting_again') AS is_waiting,
  money = 'captured' AS is_paid, again_asked_at, ended_at`
const RENTAL = `'rental' AS kind, id, user_id, service_code, state = 'active' AS is_waiting, true AS is_paid, NULL::timestamptz AS again_asked_at,
  ended_at`
const AT_SUPPLIER = 'phone = $phone AND supplier_id = $supplierId AND created_at <= $at'

/** Finds the orders that a message may belong to: the one that its reference names, or those that have its number. */
export function findClaims(
  db: Db,
  message: { supplierId: number; phone: string; reference: string | null; receivedAt: Date },
): Promise<Claim[]> {
  const { supplierId, phone, reference, receivedAt: at } = message
  if (reference !== null) return findReferenced(db, { supplierId, phone, reference })
  return listClaims(db, { supplierId, phone, at, endedSince: new Date(at.getTime() - LATE_MS) })
}

/** Lists the orders that have this number, or had it after `endedSince`. Orders made after `at` are left out. */
async function listClaims(
  db: Db,
  input: { supplierId: number; phone: string; at: Date; endedSince: Date },
): Promise<Claim[]> {
  const { rows } = await db.query<ClaimRow>({
    name: 'message-list-claims',
    text: `(SELECT ${ACTIVATION} FROM activations
        WHERE ${AT_SUPPLIER} AND state IN (${sqlList(ACTIVE_STATES)}) LIMIT ${MAX_CLAIMS})
      UNION ALL (SELECT ${ACTIVATION} FROM activations
        WHERE ${AT_SUPPLIER} AND ended_at > $endedSince ORDER BY ended_at DESC LIMIT ${MAX_CLAIMS})
      UNION ALL (SELECT ${RENTAL} FROM rentals WHERE ${AT_SUPPLIER} AND state = 'active' LIMIT ${MAX_CLAIMS})
      UNION ALL (SELECT ${RENTAL} FROM rentals
        WHERE ${AT_SUPPLIER} AND ended_at > $endedSince ORDER BY ended_at DESC LIMIT ${MAX_CLAIMS})`,
    values: input,
  })
  return rows.map(toClaim)
}

/** Finds the order that a supplier's reference names, if the order belongs to this supplier and number. */
async function findReferenced(
  db: Db,
  input: { supplierId: number; phone: string; reference: string },
): Promise<Claim[]> {
  const order = readOrderReference(input.reference)
  if (order === null) return []
  const isRental = order.kind === 'rental'
  const { rows } = await db.query<ClaimRow>({
    name: isRental ? 'message-find-referenced-rental' : 'message-find-referenced',
    text: `SELECT ${isRental ? RENTAL : ACTIVATION} FROM ${isRental ? 'rentals' : 'activations'}
      WHERE id = $id AND attempt = $attempt AND phone = $phone AND supplier_id = $supplierId AND state NOT IN ('reserving', 'failed')`,
    values: { ...input, id: order.id, attempt: order.attempt },
  })
  return rows.map(toClaim)
}

function toClaim(row: ClaimRow): Claim {
  return {
    kind: row.kind,
    id: row.id,
    userId: row.user_id,
    serviceCode: row.service_code,
    isWaiting: row.is_waiting,
    isPaid: row.is_paid,
    againAskedAt: row.again_asked_at,
    endedAt: row.ended_at,
  }
}
