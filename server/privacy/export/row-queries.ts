import { type Db, SLOW_LIMIT_MS } from '#server/db/pool.ts'
import type { Section } from '#server/privacy/sections/section.ts'
import type { Row } from './values.ts'

const BATCH = 500

/** One snapshot for the whole file. Must be the first statement of the transaction. */
export async function beginSnapshot(tx: Db): Promise<void> {
  await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' })
}

export async function* readRows(tx: Db, { rows, columns }: Section, userId: number): AsyncGenerator<Row[]> {
  await tx.query({
    text: `DECLARE section NO SCROLL CURSOR FOR SELECT ${columns.map((column) => `t.${column}`).join(', ')} FROM ${rows}`,
    values: [userId],
    limitMs: SLOW_LIMIT_MS,
  })
  for (;;) {
    const batch = await tx.query<Row>({ text: `FETCH ${BATCH} FROM section`, limitMs: SLOW_LIMIT_MS })
    if (batch.rows.length > 0) yield batch.rows
    if (batch.rows.length < BATCH) break
  }
  await tx.query({ text: 'CLOSE section' })
}
