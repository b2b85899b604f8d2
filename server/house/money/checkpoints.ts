import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { balancesThrough } from './checked-rows.ts'

/** A proof that the books were right at some time. `digest` hashes every balance after `throughTransfer`. */
export type Checkpoint = { id: bigint; at: Date; throughTransfer: bigint; digest: Buffer }

const WRITERS_LIMIT_MS = 30 * SECOND
const LOOK_MS = 100
/** The number of users whose balances are hashed together, which limits the length of the hashed text. */
const USERS_A_PART = 4096

/** Returns the newest checkpoint of the books. `broken` lists checkpoints whose own or previous hash is wrong. */
export async function findCheckpoint(db: Db): Promise<{ newest: Checkpoint | null; broken: bigint[] }> {
  const { rows } = await db.query<{ id: bigint; whole: boolean }>({
    text: `SELECT id, hash = ${HASH} AND previous_hash IS NOT DISTINCT FROM lag(hash) OVER (ORDER BY id) AS whole FROM ledger_checkpoints`,
  })
  const broken = rows.filter((row) => !row.whole).map((row) => row.id)
  const newest = await db.query<Checkpoint>({
    text: `SELECT id, at, through_transfer AS "throughTransfer", balances_digest AS digest FROM ledger_checkpoints ORDER BY id DESC LIMIT 1`,
  })
  return { newest: newest.rows[0] ?? null, broken }
}

/** Appends a checkpoint. If two are appended concurrently, one is dropped without loss, because both checks passed. */
export async function appendCheckpoint(
  db: Db,
  input: { at: Date; recounted: boolean; throughTransfer: bigint; digest: Buffer },
): Promise<void> {
  await db.query({
    text: `WITH made AS (
        SELECT $at::timestamptz AS at, $recounted::boolean AS recounted, $throughTransfer::bigint AS through_transfer,
          $digest::bytea AS balances_digest,
          (SELECT hash FROM ledger_checkpoints ORDER BY id DESC LIMIT 1) AS previous_hash
      )
      INSERT INTO ledger_checkpoints (at, recounted, through_transfer, balances_digest, previous_hash, hash)
      SELECT at, recounted, through_transfer, balances_digest, previous_hash, ${HASH} FROM made
      ON CONFLICT (previous_hash) DO NOTHING`,
    values: input,
  })
}

const HASH = `sha256(convert_to(concat_ws(' ', extract(epoch FROM at), recounted, through_transfer, encode(balances_digest, 'hex'),
  encode(previous_hash, 'hex')), 'UTF8'))`

export async function digestBalances(tx: Db, throughTransfer: bigint): Promise<Buffer> {
  const { rows } = await tx.query<{ digest: Buffer }>({ text: digestOf(balancesThrough(throughTransfer)) })
  const row = rows[0]
  if (row === undefined) throw new Error('a digest has one row')
  return row.digest
}

/** SQL for the digest of all balances. Empty balances are left out, so that a later account changes no old digest. */
export function digestOf(balances: string): string {
  return `SELECT sha256(convert_to(COALESCE(string_agg(part, '' ORDER BY place), ''), 'UTF8')) AS digest FROM (
    SELECT user_id / ${USERS_A_PART} AS place, encode(sha256(convert_to(
      string_agg(concat_ws(' ', user_id, available, held, NULLIF(debt, 0), 'r' || NULLIF(referral, 0)), ';' ORDER BY user_id), 'UTF8')), 'hex') AS part
    FROM (${balances}) balance WHERE (available, held, debt, referral) <> (0, 0, 0, 0) GROUP BY 1
  ) parts`
}

/**
 * Returns the newest transfer up to which all transfers are committed or rolled back. Ids are assigned before the
 * commit, so the query waits for open writers. Null means that a writer took too long.
 */
export async function settledThrough(db: Db): Promise<bigint | null> {
  const { rows } = await db.query<{ through: bigint | null }>({
    text: `SELECT pg_sequence_last_value(pg_get_serial_sequence('transfers', 'id')::regclass) AS through`,
  })
  const before = await listWriters(db)
  for (let waited = 0; waited <= WRITERS_LIMIT_MS; waited += LOOK_MS) {
    const now = new Set(await listWriters(db))
    if (!before.some((writer) => now.has(writer))) return rows[0]?.through ?? 0n
    await wait(LOOK_MS)
  }
  return null
}

async function listWriters(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ writer: string }>({
    text: `SELECT virtualtransaction AS writer FROM pg_locks WHERE relation = 'transfers'::regclass AND mode = 'RowExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  })
  return rows.map((row) => row.writer)
}
