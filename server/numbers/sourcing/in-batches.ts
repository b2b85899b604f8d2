const MAX_BATCHES = 20

/** Takes rows in batches until one is not full; the rest waits for the next sweep. Returns how many were taken. */
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
