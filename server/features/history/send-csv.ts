import { Readable } from 'node:stream'
import type { Locale } from '#contract/constants.ts'
import type { Context } from '#server/context.ts'
import type { Wire } from '#server/http/call.ts'
import { type Cell, csvHead, csvLine } from './csv.ts'
import { exportTurnsOf } from './export-turns.ts'

const BATCH = 1_000
/** More than anybody reads; a file that is cut says so in its last line. */
export const MAX_CSV_ROWS = 100_000

/** A table to be sent: where its rows come from, page by page, and how one is written. */
export type CsvTable<Row, Place> = {
  /** Before the date in the name of the file. */
  name: string
  titles: readonly string[]
  read(after: Place | null, limit: number): Promise<{ rows: Row[]; next: Place | null }>
  toCells(row: Row): Cell[]
}

const CUT: Record<Locale, string> = {
  ru: `Здесь первые ${MAX_CSV_ROWS} строк. Чтобы получить остальные, выберите меньший период`,
  en: `These are the first ${MAX_CSV_ROWS} rows. For the others choose a shorter time`,
}

/**
 * Sends a table as a file, batch by batch and as fast as it is read, so that neither the memory nor a connection of the
 * pool is held for it. The first batch is read before anything is sent: what is wrong is answered as by any other call.
 * Throws TOO_MANY_REQUESTS for a second export of the same user at once.
 */
export async function sendCsv<Row, Place>(
  ctx: Context,
  input: { userId: number; locale: Locale; wire: Wire | undefined; table: CsvTable<Row, Place> },
): Promise<Readable> {
  const { table, wire } = input
  if (wire === undefined) throw new Error('a file is sent over HTTP only')
  const turns = exportTurnsOf(ctx)
  const end = turns.begin(input.userId)
  const read = (after: Place | null) => turns.take(() => table.read(after, BATCH))
  const first = await read(null).catch((error: unknown) => {
    end()
    throw error
  })
  const lines = Readable.from(linesOf(table, { first, read, cut: CUT[input.locale] }))
  // However it ends, read to its end or cut off.
  lines.once('close', end)
  const day = ctx.clock.now().toISOString().slice(0, 10)
  wire.reply.type('text/csv; charset=utf-8')
  wire.reply.header('content-disposition', `attachment; filename="${table.name}-${day}.csv"`)
  return lines
}

async function* linesOf<Row, Place>(
  table: CsvTable<Row, Place>,
  input: {
    first: { rows: Row[]; next: Place | null }
    read: (after: Place) => Promise<{ rows: Row[]; next: Place | null }>
    cut: string
  },
): AsyncGenerator<string> {
  yield csvHead(table.titles)
  let { rows, next } = input.first
  let left = MAX_CSV_ROWS
  for (;;) {
    const shown = rows.slice(0, left)
    if (shown.length > 0) yield shown.map((row) => csvLine(table.toCells(row))).join('')
    left -= shown.length
    if (left === 0 && (next !== null || rows.length > shown.length)) yield csvLine([{ text: input.cut }])
    if (next === null || left === 0) return
    const batch = await input.read(next)
    rows = batch.rows
    next = batch.next
  }
}
