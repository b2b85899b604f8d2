import { open } from 'node:fs/promises'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { toDecimal } from '#contract/money.ts'
import { csvHead, csvLine } from '#server/house/csv/csv.ts'
import { CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import type { ListedRule, PricePeriod, PriceRule, PriceScope } from '#server/programs/cli/queries/prices.ts'
import { readScope } from './price-scope.ts'
import { readPeriod, readRule } from './price-terms.ts'

export const MAX_FILE_RULES = 20_000
const MAX_FILE_BYTES = 4 * 1024 * 1024
const COLUMNS = ['service_id', 'country_id', 'margin_percent', 'price', 'currency', 'from', 'until'] as const
const MAX_FAULTS_SAID = 10

type Row = Record<(typeof COLUMNS)[number], string>
export type FileRule = { scope: PriceScope; rule: PriceRule; period: PricePeriod; line: number }

/** Writes the rules as CSV (RFC 4180) with a line of column names. An empty service or country means all. */
export function toPriceFile(rules: readonly ListedRule[], now: Date): string {
  const lines = rules.map(({ service_code, country_id, rule, startsAt, endsAt }) => {
    const fixed = 'priceMicros' in rule
    // The start of a begun rule is left out, because an import accepts only future starts.
    const from = startsAt === null || startsAt <= now ? null : startsAt.toISOString()
    return csvLine([
      { text: service_code },
      { figure: country_id },
      { figure: fixed ? null : rule.marginPercent },
      { figure: fixed ? toDecimal(rule.priceMicros) : null },
      { figure: fixed ? rule.currency : null },
      { figure: from },
      { figure: endsAt?.toISOString() ?? null },
    ])
  })
  return csvHead(COLUMNS) + lines.join('')
}

/** Reads the rules of a file. If any line is wrong, throws CommandRefused, which lists the wrong lines. */
export async function readPriceFile(file: string, now: Date): Promise<FileRule[]> {
  const rows = parseRows(file, await readBounded(file))
  const faults: string[] = []
  const rules: FileRule[] = []
  const seen = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const line = index + 2
    try {
      const read = { ...readRow(row, now), line }
      const key = JSON.stringify([read.scope, read.period.startsAt])
      const earlier = seen.get(key)
      if (earlier !== undefined) throw new WrongUsage(`the same as line ${earlier}`)
      seen.set(key, line)
      rules.push(read)
    } catch (error) {
      if (!(error instanceof WrongUsage)) throw error
      faults.push(`line ${line}: ${error.message}`)
    }
  }
  if (faults.length === 0) return rules
  const said = faults.slice(0, MAX_FAULTS_SAID).join('; ')
  const more = faults.length > MAX_FAULTS_SAID ? `; and ${faults.length - MAX_FAULTS_SAID} more` : ''
  throw new CommandRefused(`${file} is not taken: ${said}${more}`)
}

function readRow(row: Row, now: Date): Omit<FileRule, 'line'> {
  const given = (text: string) => (text === '' ? undefined : text)
  const { price, currency, from, until } = row
  const options = {
    service: given(row.service_id),
    country: given(row.country_id),
    margin: given(row.margin_percent),
    price: given(price),
    currency: given(currency),
    from: given(from),
    until: given(until),
  }
  const scope = readScope({ values: [], switches: new Set(), options })
  return { scope, rule: readRule(options), period: readPeriod(options, now) }
}

async function readBounded(file: string): Promise<string> {
  const handle = await open(file).catch(() => {
    throw new CommandRefused(`${file} cannot be read`)
  })
  try {
    const { size } = await handle.stat()
    if (size > MAX_FILE_BYTES) throw new CommandRefused(`${file} is larger than ${MAX_FILE_BYTES} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function parseRows(file: string, text: string): Row[] {
  let lines: string[][]
  try {
    lines = parse(text, { bom: true, trim: true, skip_empty_lines: true, max_record_size: 1_000 })
  } catch (error) {
    if (error instanceof CsvError) throw new CommandRefused(`${file} is not CSV: ${error.message}`)
    throw error
  }
  const [names, ...rest] = lines
  if (names?.join() !== COLUMNS.join()) throw new CommandRefused(`${file} does not begin with ${COLUMNS.join()}`)
  if (rest.length > MAX_FILE_RULES) throw new CommandRefused(`${file} has more than ${MAX_FILE_RULES} rules`)
  return rest.map((cells) => {
    const cell = (place: number) => cells[place] ?? ''
    return {
      service_id: cell(0),
      country_id: cell(1),
      margin_percent: cell(2),
      price: cell(3),
      currency: cell(4),
      from: cell(5),
      until: cell(6),
    }
  })
}
