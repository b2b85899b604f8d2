import type { Db } from '#server/house/db/pool.ts'
import type { ChainBlock } from '../chain.ts'

export type Watch = {
  height: bigint | null
  block_at: Date | null
  head: bigint | null
  final_height: bigint | null
  stopped: string | null
  doubted: string[]
}

export async function findWatch(db: Db, gatewayId: number): Promise<Watch | null> {
  const { rows } = await db.query<Watch>({
    name: 'chain-watch-find',
    text: 'SELECT height, block_at, head, final_height, stopped, doubted FROM chain_watches WHERE gateway_id = $1',
    values: [gatewayId],
  })
  return rows[0] ?? null
}

export async function beginWatch(tx: Db, input: { gatewayId: number; height: bigint; at: Date }): Promise<void> {
  await tx.query({
    name: 'chain-watch-begin',
    text: `INSERT INTO chain_watches (gateway_id, height, block_at) VALUES ($gatewayId, $height, $at)
      ON CONFLICT (gateway_id) DO UPDATE SET height = $height, block_at = $at`,
    values: input,
  })
}

/** Stores the block height reached. Throws if the stored height is not `from`, because staff ran `chain:rewind`. */
export async function moveWatch(
  tx: Db,
  input: { gatewayId: number; from: bigint; height: bigint; at: Date },
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'chain-watch-move',
    text: 'UPDATE chain_watches SET height = $height, block_at = $at WHERE gateway_id = $gatewayId AND height = $from',
    values: input,
  })
  if (rowCount === 0) throw new Error('the watch was moved meanwhile')
}

/** Makes the next round read again from a height. Returns false if reading has not come to this height. */
export async function rewindWatch(tx: Db, input: { gatewayId: number; height: bigint }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'chain-watch-rewind',
    text: `WITH forgotten AS (DELETE FROM chain_blocks WHERE gateway_id = $gatewayId)
      UPDATE chain_watches SET height = $height, final_height = NULL, stopped = NULL WHERE gateway_id = $gatewayId AND height >= $height`,
    values: input,
  })
  return rowCount === 1
}

export async function hasBlocks(db: Db, gatewayId: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'chain-blocks-any',
    text: 'SELECT FROM chain_blocks WHERE gateway_id = $1 LIMIT 1',
    values: [gatewayId],
  })
  return rowCount > 0
}

export async function noteLook(
  db: Db,
  input: { gatewayId: number; head: bigint; finalHeight: bigint; doubted: string[]; now: Date },
): Promise<void> {
  await db.query({
    name: 'chain-watch-look',
    text: `UPDATE chain_watches SET head = $head, final_height = $finalHeight, doubted = $doubted, looked_at = $now
      WHERE gateway_id = $gatewayId`,
    values: input,
  })
}

export async function noteDoubted(db: Db, input: { gatewayId: number; doubted: string[] }): Promise<void> {
  await db.query({
    name: 'chain-watch-doubted',
    text: `INSERT INTO chain_watches (gateway_id, doubted) VALUES ($gatewayId, $doubted)
      ON CONFLICT (gateway_id) DO UPDATE SET doubted = $doubted WHERE chain_watches.doubted <> $doubted`,
    values: input,
  })
}

/** Stops reading the chain and stores the reason `stopped`. If `stopped` is null, reading continues. */
export async function setStopped(db: Db, input: { gatewayId: number; stopped: string | null }): Promise<void> {
  await db.query({
    name: 'chain-watch-stop',
    text: `INSERT INTO chain_watches (gateway_id, stopped) VALUES ($gatewayId, $stopped)
      ON CONFLICT (gateway_id) DO UPDATE SET stopped = $stopped`,
    values: input,
  })
}

export async function findBlock(db: Db, input: { gatewayId: number; number: bigint }): Promise<ChainBlock | null> {
  const { rows } = await db.query<ChainBlock>({
    name: 'chain-block-find',
    text: 'SELECT number, hash, parent, at FROM chain_blocks WHERE gateway_id = $gatewayId AND number = $number',
    values: input,
  })
  return rows[0] ?? null
}

export async function storeBlocks(
  tx: Db,
  { blocks, ...input }: { gatewayId: number; blocks: readonly ChainBlock[]; keepFrom: bigint },
): Promise<void> {
  await tx.query({
    name: 'chain-blocks-store',
    text: `WITH old AS (DELETE FROM chain_blocks WHERE gateway_id = $gatewayId AND number < $keepFrom)
      INSERT INTO chain_blocks (gateway_id, number, hash, parent, at)
      SELECT $gatewayId, number, hash, parent, at
      FROM unnest($numbers::bigint[], $hashes::text[], $parents::text[], $times::timestamptz[]) AS block (number, hash, parent, at)`,
    values: {
      ...input,
      numbers: blocks.map(({ number }) => number),
      hashes: blocks.map(({ hash }) => hash),
      parents: blocks.map(({ parent }) => parent),
      times: blocks.map(({ at }) => at),
    },
  })
}

export async function forgetBlocksAbove(tx: Db, input: { gatewayId: number; height: bigint }): Promise<void> {
  await tx.query({
    name: 'chain-blocks-forget',
    text: 'DELETE FROM chain_blocks WHERE gateway_id = $gatewayId AND number > $height',
    values: input,
  })
}
