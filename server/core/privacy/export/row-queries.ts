import type { Section } from '#server/core/privacy/sections/section.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import type { Row } from './values.ts'

const BATCH = 500

/** Starts one snapshot for all tables of an export; the transaction must have no earlier statement. */
export async function beginSnapshot(tx: Db): Promise<void> {
  await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' })
}

export async function findFilled(tx: Db, sections: readonly Section[], userId: number): Promise<Set<string>> {
  const filled = new Set<string>()
  for (const { table, rows } of sections) {
    const found = await tx.query({
      text: `SELECT WHERE EXISTS (SELECT FROM ${rows})`,
      values: [userId],
      limitMs: SLOW_LIMIT_MS,
    })
    if (found.rowCount === 1) filled.add(table)
  }
  return filled
}

export async function* readRows(tx: Db, section: Section, userId: number): AsyncGenerator<Row[]> {
  const { rows, columns, currency } = section
  const given = columns.map((column) => `t.${column}`)
  if (currency !== undefined) given.push(`${currency} AS currency`)
  await tx.query({
    text: `DECLARE section NO SCROLL CURSOR FOR SELECT ${given.join(', ')} FROM ${rows}`,
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
