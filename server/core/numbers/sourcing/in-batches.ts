const MAX_BATCHES = 20
/** The maximum number of sandbox rows per sweep, so that they delay no real order. The next sweep takes more. */
const PLAY_SIZE = 200

export type Batch = { limit: number; play: boolean }

/** Processes all real rows in batches, then one batch of sandbox rows. Returns how many rows were processed. */
export async function inBatches<Row>(
  size: number,
  take: (batch: Batch) => Promise<Row[]>,
  tell: (row: Row) => Promise<void>,
): Promise<number> {
  let count = 0
  const sweep = async (batch: Batch) => {
    const rows = await take(batch)
    for (const row of rows) await tell(row)
    count += rows.length
    return rows.length
  }
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await sweep({ limit: size, play: false })) < size) break
  }
  await sweep({ limit: PLAY_SIZE, play: true })
  return count
}
