const MAX_BATCHES = 20

/**
 * For sweeps: takes rows in batches of at most `size` and tells of each, until a batch is not full. What is left after the
 * last batch of one run waits for the next. Returns how many were taken.
 */
export async function inBatches<Row>(
  size: number,
  take: (limit: number) => Promise<Row[]>,
  tell: (row: Row) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const rows = await take(size)
    for (const row of rows) await tell(row)
    count += rows.length
    if (rows.length < size) break
  }
  return count
}
