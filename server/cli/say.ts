/** `environment`: that of the process, unless a test gives its own. */
export type CliEdges = {
  out(text: string): void
  err(text: string): void
  environment?: Record<string, string | undefined>
}

/** What a command found: names in snake_case or camelCase, which become the former; no secrets but those it is for. */
export type Told = Readonly<Record<string, unknown>>

/** How a command speaks: to people in sentences, with `--json` to programs in one object a line. */
export type Say = {
  /** A result: `told` for programs, `line` for people. */
  tell(told: Told, line: string): void
  /** Nothing that a program would need: `There is none.` */
  remark(line: string): void
}

export function sayTo(edges: CliEdges, { json }: { json: boolean }): Say {
  return {
    tell: (told, line) => edges.out(`${json ? toJsonLine(told) : line}\n`),
    remark: (line) => (json ? undefined : edges.out(`${line}\n`)),
  }
}

/** One line of JSON: names in snake_case, 64 bits as numbers where those hold them, times as ISO 8601. */
export function toJsonLine(told: Told): string {
  return JSON.stringify(plain(told))
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [toSnakeCase(name), plain(inner)]))
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')
}
