import type { Locale } from '#contract/constants.ts'

/** Excel reads a file without a byte order mark in a legacy encoding. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** Matches a text that spreadsheets run as a formula, even after spaces or with full-width signs. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
/**
 * Matches a text that a spreadsheet may misread as a number, a date or a formula, and that fits into `="…"`. Such a
 * formula can hold neither line ends nor more than 255 characters.
 */
const MISREAD = /^(?=.*\d|\s*[=+\-@＝＋－＠])[^\r\n]{1,255}$/

/** A CSV cell: a `text` of people or suppliers, a `figure` that we formatted, or an ISO 8601 time `at`. */
export type Cell = { text: string | null } | { figure: string | number | null } | { at: string | null }

export type CsvReader = {
  separator: ',' | ';'
  needsQuotes: RegExp
  decimal: '.' | ','
  guesses: boolean
  momentOf: (at: string) => string
}

/** The CSV format for programs, by RFC 4180. */
const PROGRAM: CsvReader = {
  separator: ',',
  needsQuotes: /[",\r\n]/,
  decimal: '.',
  guesses: false,
  momentOf: (at) => at,
}

/** Returns the CSV format that a spreadsheet of this language reads. `timeZone` is an IANA name. */
export function personReading(locale: Locale, timeZone: string): CsvReader {
  // Every English Excel reads the Swedish form `2026-03-01 15:00:00` as a time, but ISO 8601 with a zone as a text.
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

/**
 * Formats a line of a CSV file. Prevents formula injection: an apostrophe disarms a text, and a text that a spreadsheet
 * may misread becomes `="text"`.
 */
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
