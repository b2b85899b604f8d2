/** The surroundings of the command line. In tests `environment` replaces that of the process. */
export type CliEdges = {
  out(text: string): void
  err(text: string): void
  environment?: Record<string, string | undefined>
}

/** The JSON output of a command, with keys in snake_case and without secrets, except one that was asked for. */
export type Told = Readonly<Record<string, unknown>>

/** Prints plain sentences, or one JSON object per line with `--json`. */
export type Say = {
  tell(told: Told, line: string): void
  remark(line: string): void
}

export function sayTo(edges: CliEdges, { json }: { json: boolean }): Say {
  return {
    tell: (told, line) => edges.out(`${json ? toJsonLine(told) : line}\n`),
    remark: (line) => (json ? undefined : edges.out(`${line}\n`)),
  }
}

/** Converts a result to a line of JSON. Times are in ISO 8601; a bigint is a number, or a string if too large. */
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
