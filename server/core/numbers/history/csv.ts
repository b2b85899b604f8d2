import type { Locale } from '#contract/constants.ts'

/** Without the mark Excel reads the file in a legacy encoding. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** Spreadsheets run a cell that begins so as a formula, also behind spaces and in full width. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** Digits may become a number or a date. A formula has no line ends, and its texts have a limit. */
const MISREAD = /^(?=.*\d|\s*[=+\-@＝＋－＠])[^\r\n]{1,255}$/

/** Text comes from people or suppliers; a figure is ours and formatted; `at` is ISO 8601. */
export type Cell = { text: string | null } | { figure: string | number | null } | { at: string | null }

export type CsvReader = {
  separator: ',' | ';'
  needsQuotes: RegExp
  decimal: '.' | ','
  /** A spreadsheet guesses what a text may be. */
  guesses: boolean
  momentOf: (at: string) => string
}

/** RFC 4180. */
const PROGRAM: CsvReader = {
  separator: ',',
  needsQuotes: /[",\r\n]/,
  decimal: '.',
  guesses: false,
  momentOf: (at) => at,
}

/** Writes as the spreadsheet of the language reads, in the reader's time zone (an IANA name). */
export function personReading(locale: Locale, timeZone: string): CsvReader {
  // Swedish writes `2026-03-01 15:00:00`, which every English Excel reads alike. ISO 8601 with its zone would stay a text.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  const written = (at: string) => format.format(Date.parse(at))
  const common = { needsQuotes: /[",;\r\n]/, guesses: true }
  if (locale === 'en') return { ...common, separator: ',', decimal: '.', momentOf: written }
  const inRussian = (at: string) => written(at).replace(/^(\d+)-(\d\d)-(\d\d)/, '$3.$2.$1')
  return { ...common, separator: ';', decimal: ',', momentOf: inRussian }
}

export function csvHead(titles: readonly string[], reader = PROGRAM): string {
  const cells = titles.map((text) => ({ text }))
  return BYTE_ORDER_MARK + csvLine(cells, reader)
}

/** No text runs as a formula: an apostrophe disarms it, and what a spreadsheet might misread is a formula of that text alone. */
export function csvLine(cells: readonly Cell[], reader = PROGRAM): string {
  return cells.map((cell) => toField(cell, reader)).join(reader.separator) + LINE_END
}

function toField(cell: Cell, { needsQuotes, decimal, guesses, momentOf }: CsvReader): string {
  if ('at' in cell) return cell.at === null ? '' : momentOf(cell.at)
  if ('figure' in cell) return String(cell.figure ?? '').replace('.', decimal)
  const text = cell.text ?? ''
  if (guesses && MISREAD.test(text)) return quoted(`=${quoted(text)}`)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? quoted(harmless) : harmless
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
