import type { StoredPart } from '#server/adapters/smpp/wire/join-parts.ts'
import type { ReceivedPart } from '#server/adapters/smpp/wire/read-message.ts'
import type { PartOf } from '#server/adapters/smpp/wire/user-data-header.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Db } from '#server/house/db/pool.ts'

export type LongPart = ReceivedPart & { partOf: PartOf; supplierId: number }

export type Candidate = {
  id: bigint
  isReady: boolean
  isDelivered: boolean
  hasPart: boolean
  isSame: boolean
}

export type LongMessage = {
  supplierId: number
  sender: string
  phone: string
  total: number
  parts: StoredPart[]
}

const SAME_IDENTITY = `supplier_id = $supplierId AND phone = $phone AND sender = $sender
  AND reference_kind = $referenceKind AND reference = $reference AND parts_total = $partsTotal`

function identity({ supplierId, phone, sender, partOf }: LongPart): NamedValues {
  const { kind, reference, total } = partOf
  return { supplierId, phone, sender, referenceKind: kind, reference, partsTotal: total }
}

/** Locks a long message until the end of the transaction, so that its parts are stored one at a time. */
export async function lockIdentity(tx: Db, part: LongPart): Promise<void> {
  await tx.query({
    name: 'smpp-lock-identity',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [JSON.stringify(['smpp part', ...Object.values(identity(part))])],
  })
}

/**
 * Selects and locks the messages to which a part may belong, oldest first. A message delivered since `repeatsSince`
 * is included, because the part may be a repeat.
 */
export async function selectCandidates(tx: Db, part: LongPart, repeatsSince: Date): Promise<Candidate[]> {
  const { rows } = await tx.query<Candidate>({
    name: 'smpp-select-candidates',
    text: `SELECT m.id, m.ready_at IS NOT NULL AS "isReady", m.delivered_at IS NOT NULL AS "isDelivered",
        p.message_id IS NOT NULL AS "hasPart", COALESCE(p.data_coding = $dataCoding AND p.body = $body, false) AS "isSame"
      FROM smpp_long_messages m
      LEFT JOIN smpp_parts p ON p.message_id = m.id AND p.sequence = $sequence
      WHERE ${SAME_IDENTITY} AND (m.delivered_at IS NULL OR m.delivered_at > $repeatsSince)
      ORDER BY m.id
      FOR UPDATE OF m`,
    values: {
      ...identity(part),
      sequence: part.partOf.sequence,
      dataCoding: part.dataCoding,
      body: part.body,
      repeatsSince,
    },
  })
  return rows
}

export async function insertMessage(tx: Db, part: LongPart, now: Date): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>({
    name: 'smpp-insert-message',
    text: `INSERT INTO smpp_long_messages
        (supplier_id, phone, sender, reference_kind, reference, parts_total, first_part_at)
      VALUES ($supplierId, $phone, $sender, $referenceKind, $reference, $partsTotal, $now)
      RETURNING id`,
    values: { ...identity(part), now },
  })
  const [row] = rows
  if (row === undefined) throw new Error('an INSERT returned no row')
  return row.id
}

export async function insertPart(tx: Db, messageId: bigint, part: LongPart, now: Date): Promise<void> {
  await tx.query({
    name: 'smpp-insert-part',
    text: `INSERT INTO smpp_parts (message_id, sequence, data_coding, body, received_at)
      VALUES ($messageId, $sequence, $dataCoding, $body, $now)`,
    values: { messageId, sequence: part.partOf.sequence, dataCoding: part.dataCoding, body: part.body, now },
  })
}

export async function completeMessage(tx: Db, id: bigint, at: { now: Date; nextAttemptAt: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'smpp-complete-message',
    text: `UPDATE smpp_long_messages SET ready_at = $2, next_attempt_at = $3
      WHERE id = $1 AND ready_at IS NULL
        AND parts_total = (SELECT count(*) FROM smpp_parts WHERE message_id = $1)`,
    values: [id, at.now, at.nextAttemptAt],
  })
  return rowCount > 0
}

export async function lockOverdueMessages(
  tx: Db,
  overdue: { supplierId: number; firstPartBefore: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await tx.query<{ id: bigint }>({
    name: 'smpp-lock-overdue',
    text: `SELECT id FROM smpp_long_messages
      WHERE supplier_id = $1 AND ready_at IS NULL AND first_part_at <= $2
      ORDER BY first_part_at LIMIT $3
      FOR UPDATE SKIP LOCKED`,
    values: [overdue.supplierId, overdue.firstPartBefore, overdue.limit],
  })
  return rows.map((row) => row.id)
}

/** Deletes incomplete messages whose parts all repeat a delivered message, because the peer missed our answer. */
export async function deleteRepeats(tx: Db, ids: readonly bigint[]): Promise<void> {
  await tx.query({
    name: 'smpp-delete-repeats',
    text: `DELETE FROM smpp_long_messages m
      WHERE m.id = ANY($1) AND EXISTS (
        SELECT FROM smpp_long_messages d
        WHERE d.supplier_id = m.supplier_id AND d.phone = m.phone AND d.sender = m.sender
          AND d.reference_kind = m.reference_kind AND d.reference = m.reference AND d.parts_total = m.parts_total
          AND d.delivered_at IS NOT NULL
          AND NOT EXISTS (
            SELECT FROM smpp_parts p WHERE p.message_id = m.id AND NOT EXISTS (
              SELECT FROM smpp_parts q WHERE q.message_id = d.id AND q.sequence = p.sequence
                AND q.data_coding = p.data_coding AND q.body = p.body)))`,
    values: [ids],
  })
}

export async function giveUpWaiting(tx: Db, ids: readonly bigint[], now: Date): Promise<void> {
  await tx.query({
    name: 'smpp-give-up-waiting',
    text: 'UPDATE smpp_long_messages SET ready_at = $2, next_attempt_at = $2 WHERE id = ANY($1)',
    values: [ids, now],
  })
}

export async function selectUndelivered(
  db: Db,
  due: { supplierId: number; dueAt: Date; maxAttempts: number; limit: number },
): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'smpp-select-undelivered',
    text: `SELECT id FROM smpp_long_messages
      WHERE supplier_id = $supplierId AND ready_at IS NOT NULL AND delivered_at IS NULL
        AND next_attempt_at <= $dueAt AND attempts < $maxAttempts
      ORDER BY next_attempt_at LIMIT $limit`,
    values: due,
  })
  return rows.map((row) => row.id)
}

export async function selectMessage(db: Db, id: bigint): Promise<LongMessage | null> {
  const { rows } = await db.query<Omit<LongMessage, 'parts'> & StoredPart>({
    name: 'smpp-select-message',
    text: `SELECT m.supplier_id AS "supplierId", m.sender, m.phone, m.parts_total AS total,
        p.sequence, p.data_coding AS "dataCoding", p.body
      FROM smpp_long_messages m JOIN smpp_parts p ON p.message_id = m.id
      WHERE m.id = $1 AND m.ready_at IS NOT NULL AND m.delivered_at IS NULL
      ORDER BY p.sequence`,
    values: [id],
  })
  const [first] = rows
  if (first === undefined) return null
  const { supplierId, sender, phone, total } = first
  const parts = rows.map(({ sequence, dataCoding, body }) => ({ sequence, dataCoding, body }))
  return { supplierId, sender, phone, total, parts }
}

export async function markDelivered(db: Db, id: bigint, now: Date): Promise<void> {
  await db.query({
    name: 'smpp-mark-delivered',
    text: 'UPDATE smpp_long_messages SET delivered_at = $2 WHERE id = $1 AND delivered_at IS NULL',
    values: [id, now],
  })
}

export async function postponeDelivery(
  db: Db,
  id: bigint,
  delay: { now: Date; firstSeconds: number; mostSeconds: number },
): Promise<void> {
  await db.query({
    name: 'smpp-postpone-delivery',
    text: `UPDATE smpp_long_messages SET attempts = attempts + 1,
        next_attempt_at = $now::timestamptz
          + LEAST($mostSeconds::float8, $firstSeconds::float8 * 2 ^ LEAST(attempts, 20)) * interval '1 second'
      WHERE id = $id`,
    values: { id, ...delay },
  })
}

export async function deleteDelivered(db: Db, supplierId: number, deliveredBefore: Date): Promise<void> {
  await db.query({
    name: 'smpp-delete-delivered',
    text: 'DELETE FROM smpp_long_messages WHERE supplier_id = $1 AND delivered_at <= $2',
    values: [supplierId, deliveredBefore],
  })
}
