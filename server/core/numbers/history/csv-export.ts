import { Readable } from 'node:stream'
import type { Locale } from '#contract/constants.ts'
import type { CsvFor } from '#contract/past/history.ts'
import type { Context } from '#server/house/context.ts'
import { type Cell, type CsvReader, csvHead, csvLine, personReading } from '#server/house/csv/csv.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { exportSemaphoreOf } from './export-semaphore.ts'

const BATCH = 1_000
/** The maximum number of rows of an export. The last line of a truncated file says that rows are missing. */
export const MAX_CSV_ROWS = 100_000

export type CsvColumn<Item> = { title: Record<Locale, string>; cell: (item: Item, locale: Locale) => Cell }

/** `for` is the reader, a person or a program. `time_zone` formats times and bounds the days of the filter. */
type CsvAsked = { for?: CsvFor | undefined; time_zone?: string | undefined }

type CsvPage<Item> = { data: Item[]; meta: { next_cursor: string | null } }

type CsvFilter = CsvAsked & { cursor?: string | undefined; per_page: number }

type CsvList<Item, Filter extends CsvFilter> = {
  name: string
  columns: readonly CsvColumn<Item>[]
  list(ctx: Context, caller: MemberCaller, filter: Filter): Promise<CsvPage<Item>>
}

const CUT: Record<Locale, string> = {
  ru: `Здесь первые ${MAX_CSV_ROWS} строк. Чтобы получить остальные, выберите меньший период.`,
  en: `These are the first ${MAX_CSV_ROWS} rows. For the rest, choose a shorter period.`,
}

/**
 * Streams a CSV file. Batches are read on demand, so a slow reader costs neither memory nor a connection. The first
 * batch is read before the reply begins, so its errors get a normal error reply. Throws TOO_MANY_REQUESTS for a user's
 * second concurrent export.
 */
export function csvExport<Item, Filter extends CsvFilter>({ name, columns, list }: CsvList<Item, Filter>) {
  return async (ctx: Context, caller: MemberCaller, filter: Filter, wire?: Wire): Promise<Readable> => {
    if (wire === undefined) throw new Error('a file is sent over HTTP only')
    const { locale } = caller
    const semaphore = exportSemaphoreOf(ctx, 'files')
    const end = semaphore.begin(caller.member.userId)
    const read = (cursor = filter.cursor) =>
      semaphore.run(() => list(ctx, caller, { ...filter, cursor, per_page: BATCH }))
    const first = await read().catch((error: unknown) => {
      end()
      throw error
    })
    const lines = Readable.from(linesOf(columns, { first, read, locale, reader: readerOf(filter, locale) }))
    lines.once('close', end)
    const day = ctx.clock.now().toISOString().slice(0, 10)
    wire.reply.type('text/csv; charset=utf-8')
    wire.reply.header('content-disposition', `attachment; filename="${name}-${day}.csv"`)
    return lines
  }
}

export function readerOf({ for: reader, time_zone }: CsvAsked, locale: Locale): CsvReader | undefined {
  return reader === 'people' ? personReading(locale, time_zone ?? 'UTC') : undefined
}

type Read<Item> = {
  first: CsvPage<Item>
  read: (cursor: string) => Promise<CsvPage<Item>>
  locale: Locale
  reader: CsvReader | undefined
}

async function* linesOf<Item>(
  columns: readonly CsvColumn<Item>[],
  { first, read, locale, reader }: Read<Item>,
): AsyncGenerator<string> {
  const titles = columns.map(({ title }) => title[locale])
  yield csvHead(titles, reader)
  let page = first
  let left = MAX_CSV_ROWS
  for (;;) {
    const { data, meta } = page
    const shown = data.slice(0, left)
    const cellsOf = (item: Item) => columns.map(({ cell }) => cell(item, locale))
    if (shown.length > 0) yield shown.map((item) => csvLine(cellsOf(item), reader)).join('')
    left -= shown.length
    if (left === 0 && (meta.next_cursor !== null || data.length > shown.length))
      yield csvLine([{ text: CUT[locale] }], reader)
    if (meta.next_cursor === null || left === 0) return
    page = await read(meta.next_cursor)
  }
}
