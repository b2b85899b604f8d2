import type { Db } from '#server/house/db/pool.ts'
import { ADDRESS_REFUSED, KEPT_REFUSALS, KEPT_USES, type KeyCallLine } from './call-log.ts'

/** Adds buffered lines to the stored call log and updates each key's last use. Lines of deleted keys are dropped. */
export async function addCalls(db: Db, lines: readonly KeyCallLine[]): Promise<void> {
  await db.query({
    name: 'api-key-add-calls',
    text: `WITH lines AS (
      SELECT * FROM unnest($keyIds::integer[], $foldAts::timestamptz[], $calls::text[], $results::text[], $counts::integer[],
        $firstAts::timestamptz[], $lastAts::timestamptz[], $addresses::text[])
        AS line (key_id, fold_at, call, result, count, first_at, last_at, address)
    ), used AS (
      UPDATE api_keys SET last_used_at = GREATEST(last_used_at, uses.at)
      FROM (SELECT key_id, max(last_at) AS at FROM lines WHERE result <> $addressRefused GROUP BY key_id) uses
      WHERE api_keys.id = uses.key_id
    )
    INSERT INTO api_key_calls (key_id, fold_at, call, result, count, first_at, last_at, address)
    SELECT key_id, fold_at, call, result, count, first_at, last_at, address FROM lines
    WHERE key_id IN (SELECT id FROM api_keys) ORDER BY key_id, fold_at
    ON CONFLICT (key_id, fold_at, call, result, address) DO UPDATE
    SET count = api_key_calls.count + excluded.count, first_at = LEAST(api_key_calls.first_at, excluded.first_at),
      last_at = GREATEST(api_key_calls.last_at, excluded.last_at)`,
    values: {
      keyIds: lines.map(({ keyId }) => keyId),
      foldAts: lines.map(({ foldAt }) => foldAt),
      calls: lines.map(({ call }) => call),
      results: lines.map(({ result }) => result),
      counts: lines.map(({ count }) => count),
      firstAts: lines.map(({ firstAt }) => firstAt),
      lastAts: lines.map(({ lastAt }) => lastAt),
      addresses: lines.map(({ address }) => address),
      addressRefused: ADDRESS_REFUSED,
    },
  })
}

/** The sort order also covers call, result and IP address, because several lines may have equal times. */
const NEWEST_FIRST = 'last_at DESC, fold_at DESC, call DESC, result DESC, address DESC'

export async function trimCalls(db: Db, keyIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'api-key-trim-calls',
    text: `DELETE FROM api_key_calls c
      USING unnest($keyIds::integer[]) AS of_key (id)
      CROSS JOIN (VALUES (false, $uses::integer), (true, $refusals::integer)) AS share (refused, keep)
      CROSS JOIN LATERAL (
        SELECT last_at, fold_at, call, result, address FROM api_key_calls newest
        WHERE newest.key_id = of_key.id AND (newest.result = $addressRefused) = share.refused
        ORDER BY ${NEWEST_FIRST} OFFSET share.keep - 1 LIMIT 1
      ) AS kept
      WHERE c.key_id = of_key.id AND (c.result = $addressRefused) = share.refused
        AND (c.last_at, c.fold_at, c.call, c.result, c.address)
          < (kept.last_at, kept.fold_at, kept.call, kept.result, kept.address)`,
    values: { keyIds, uses: KEPT_USES, refusals: KEPT_REFUSALS, addressRefused: ADDRESS_REFUSED },
  })
}

export type KeyCallRow = {
  call: string
  result: string
  count: number
  first_at: Date
  last_at: Date
  address: string
}

export async function listCalls(db: Db, input: { keyId: number; limit: number }): Promise<KeyCallRow[]> {
  const { rows } = await db.query<KeyCallRow>({
    name: 'api-key-list-calls',
    text: `SELECT call, result, count, first_at, last_at, address FROM api_key_calls
      WHERE key_id = $1 ORDER BY ${NEWEST_FIRST} LIMIT $2`,
    values: [input.keyId, input.limit],
  })
  return rows
}
