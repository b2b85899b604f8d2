/** Without the mark Excel reads the file in a legacy encoding. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** Spreadsheets run a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** Text comes from people or suppliers; a figure is ours and formatted. */
export type Cell = { text: string | null } | { figure: string | number | null }

export function csvHead(titles: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(titles.map((text) => ({ text })))
}

/** RFC 4180. An apostrophe disarms a text that a spreadsheet would run as a formula. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(toField).join(',') + LINE_END
}

function toField(cell: Cell): string {
  if ('figure' in cell) return String(cell.figure ?? '')
  const text = cell.text ?? ''
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
