import type { Db } from '#server/house/db/pool.ts'
import type { PendingMatch } from './pending-matches.ts'

/** The maximum number of rows per account, so that nobody fills the table with invented sender names. */
const MAX_SENDERS_OF_ACCOUNT = 50

/** Stores which services a sender's messages named, once per account. Young accounts do not count. */
export async function insertMatches(
  tx: Db,
  input: { matches: readonly PendingMatch[]; bornBefore: Date; now: Date },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO sender_matches (sender, service_code, user_id, matched_at)
      SELECT given.sender, given.service_code, given.user_id, $now
      FROM unnest($senders::text[], $serviceCodes::text[], $userIds::integer[]) AS given (sender, service_code, user_id)
      JOIN users ON users.id = given.user_id AND users.created_at <= $bornBefore
      WHERE (SELECT count(*) FROM sender_matches AS own WHERE own.user_id = given.user_id) < $mostOfAccount
      ON CONFLICT (sender, service_code, user_id) DO NOTHING`,
    values: {
      ...input,
      senders: input.matches.map(({ sender }) => sender),
      serviceCodes: input.matches.map(({ serviceCode }) => serviceCode),
      userIds: input.matches.map(({ userId }) => userId),
      mostOfAccount: MAX_SENDERS_OF_ACCOUNT,
    },
  })
}

export type MatchCount = { sender: string; service_code: string; user_ids: number[]; days: string[] }

export async function countMatches(tx: Db, input: { senders: readonly string[]; since: Date }): Promise<MatchCount[]> {
  const { rows } = await tx.query<MatchCount>({
    text: `SELECT sender, service_code, array_agg(user_id) AS user_ids,
        array_agg(DISTINCT (matched_at AT TIME ZONE 'UTC')::date::text) AS days
      FROM sender_matches WHERE sender = ANY ($1) AND matched_at > $2 GROUP BY sender, service_code`,
    values: [input.senders, input.since],
  })
  return rows
}

export async function insertLearnt(
  tx: Db,
  learnt: readonly { sender: string; serviceCode: string }[],
): Promise<number> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO service_signs (service_code, kind, value, strength, source, known)
      SELECT given.service_code, 'sender', given.sender, 'proven', 'learnt', true
      FROM unnest($1::text[], $2::text[]) AS given (service_code, sender)
      WHERE NOT EXISTS (SELECT FROM service_signs AS said
        WHERE said.kind = 'sender' AND lower(said.value) = given.sender AND said.source <> 'learnt')
      ON CONFLICT (service_code, kind, value) DO NOTHING`,
    values: [learnt.map(({ serviceCode }) => serviceCode), learnt.map(({ sender }) => sender)],
  })
  return rowCount
}

export async function forgetLearnt(tx: Db, senders: readonly string[]): Promise<number> {
  const { rowCount } = await tx.query({
    text: `DELETE FROM service_signs WHERE kind = 'sender' AND source = 'learnt' AND value = ANY ($1)`,
    values: [senders],
  })
  return rowCount
}

/** Counts real-money accounts older than `bornBefore` that reported this sender, and the days of their reports. */
export async function countReporters(
  tx: Db,
  input: { sender: string; since: Date; bornBefore: Date },
): Promise<{ accounts: number; days: number }> {
  const { rows } = await tx.query<{ accounts: number; days: number }>({
    text: `SELECT count(DISTINCT r.user_id)::integer AS accounts,
        count(DISTINCT (r.reported_at AT TIME ZONE 'UTC')::date)::integer AS days
      FROM used_reports r JOIN messages m ON m.id = r.message_id JOIN users u ON u.id = r.user_id
      WHERE r.message_id IS NOT NULL AND r.reported_at > $since AND u.created_at <= $bornBefore AND u.sandbox_of IS NULL
        AND m.sender = $sender AND m.named_by IS NULL`,
    values: input,
  })
  return rows[0] ?? { accounts: 0, days: 0 }
}

/** Adds a sender to the ignored senders. Returns false if the seed, staff or learning listed it before. */
export async function ignoreLearnt(tx: Db, sender: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO ignored_senders (sender, source) VALUES ($1, 'learnt') ON CONFLICT (sender) DO NOTHING`,
    values: [sender],
  })
  return rowCount > 0
}
