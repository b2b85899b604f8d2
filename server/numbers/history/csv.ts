/** Excel takes a file without it for one in the system's old encoding. */
const BYTE_ORDER_MARK = '\uFEFF'
const LINE_END = '\r\n'
/** What a spreadsheet would run as a formula when a cell begins with it. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** A text as people or suppliers wrote it, or a figure of ours, written out already. */
export type Cell = { text: string | null } | { figure: string | number | null }

/** The first line, with the mark that says how the file is encoded. */
export function csvHead(titles: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(titles.map((text) => ({ text })))
}

/** RFC 4180. A text that a spreadsheet would take for a formula is made harmless by an apostrophe; a figure stays one. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(toField).join(',') + LINE_END
}

function toField(cell: Cell): string {
  if ('figure' in cell) return String(cell.figure ?? '')
  const text = cell.text ?? ''
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
