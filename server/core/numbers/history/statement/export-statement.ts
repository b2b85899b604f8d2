import { Readable } from 'node:stream'
import type { Locale } from '#contract/constants.ts'
import type { Statement, StatementFileFilter } from '#contract/past/history.ts'
import type { Context } from '#server/house/context.ts'
import { type Cell, type CsvReader, csvHead, csvLine } from '#server/house/csv/csv.ts'
import type { Wire } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import { readerOf } from '../csv-export.ts'
import { MOVEMENT_WORDS } from '../movement-words.ts'
import { readStatement } from './read-statement.ts'

type Word =
  | ('what' | 'in' | 'out' | 'count' | 'left' | 'currency')
  | ('opening' | 'openingHeld' | 'charged' | 'closing' | 'closingHeld' | 'closingDebt')

const WORDS: Record<Locale, Record<Word, string>> = {
  ru: {
    what: 'Операция',
    in: 'Приход',
    out: 'Расход',
    count: 'Количество',
    left: 'Остаток',
    currency: 'Валюта',
    opening: 'остаток на начало периода',
    openingHeld: 'зарезервировано на начало периода',
    closing: 'остаток на конец периода',
    closingHeld: 'зарезервировано на конец периода',
    closingDebt: 'долг на конец периода',
    charged: 'списано из резерва',
  },
  en: {
    what: 'Type',
    in: 'In',
    out: 'Out',
    count: 'Count',
    left: 'Balance',
    currency: 'Currency',
    opening: 'balance at start of period',
    openingHeld: 'on hold at start of period',
    closing: 'balance at end of period',
    closingHeld: 'on hold at end of period',
    closingDebt: 'debt at end of period',
    charged: 'charged from money on hold',
  },
}

/** GET /api/v1/statement.csv: exports only the sums of the movements; `movements.csv` exports the single movements. */
export async function exportStatement(
  ctx: Context,
  caller: MemberCaller,
  filter: StatementFileFilter,
  wire?: Wire,
): Promise<Readable> {
  if (wire === undefined) throw new Error('a file is sent over HTTP only')
  const { data } = await readStatement(ctx, caller, filter)
  wire.reply.type('text/csv; charset=utf-8')
  wire.reply.header('content-disposition', `attachment; filename="statement-${data.at.slice(0, 10)}.csv"`)
  return Readable.from(linesOf(data, caller.locale, readerOf(filter, caller.locale)))
}

function linesOf(statement: Statement, locale: Locale, reader: CsvReader | undefined): string[] {
  const { opening, closing, sums, charged, currency } = statement
  const words = WORDS[locale]
  const line = (what: string, figures: readonly (string | number | null)[]): string => {
    const cells: Cell[] = figures.map((figure) => ({ figure }))
    return csvLine([{ text: what }, ...cells, { text: currency.toUpperCase() }], reader)
  }
  const stand = (what: string, left: string) => line(what, [null, null, null, left])
  return [
    csvHead([words.what, words.in, words.out, words.count, words.left, words.currency], reader),
    stand(words.opening, opening.available),
    ...sums.map(({ kind, ...sum }) =>
      // Holds are called purchases in the file, because most were captured and releases have lines of their own.
      line(MOVEMENT_WORDS[kind === 'hold' ? 'purchases' : kind][locale], [sum.in, sum.out, sum.count, null]),
    ),
    stand(words.closing, closing.available),
    stand(words.openingHeld, opening.held),
    line(words.charged, [null, charged.amount, charged.count, null]),
    stand(words.closingHeld, closing.held),
    stand(words.closingDebt, closing.debt),
  ]
}
