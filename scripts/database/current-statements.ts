import type pg from 'pg'
import { describer } from './describe.ts'
import { type NamedSource, sourceOf } from './named-in-sources.ts'
import type { SentStatement } from './sent-statements.ts'
import type { Statement } from './statement-files.ts'

type Known = { sources: readonly NamedSource[]; shown: readonly Statement[]; sent?: readonly SentStatement[] }

/**
 * Merges documented SQL statements with newly sent ones, and describes them by today's sources and tables.
 * Statements that no source names any more are left out. Throws if a statement cannot be prepared.
 */
export async function currentStatements(client: pg.Client, { sources, shown, sent = [] }: Known): Promise<Statement[]> {
  const all = new Map(shown.map((statement) => [statement.name, statement]))
  for (const { name, text, names } of sent) {
    all.set(name, { name, source: '', text, takes: names.map((each) => ({ name: each, type: '' })), returns: null })
  }
  const describe = await describer(client)
  const current: Statement[] = []
  for (const statement of all.values()) {
    const found = sourceOf(statement.name, sources)
    if (found === undefined) continue
    const { takes, returns } = await describe(statement)
    current.push({ ...statement, source: found.source, returns, takes: named(takes, found) })
  }
  return current
}

function named(takes: Statement['takes'], { values }: NamedSource): Statement['takes'] {
  if (values === undefined) return takes
  return takes.map(({ type }, place) => ({ ...(values[place] !== undefined && { name: values[place] }), type }))
}

export function neverSent(sources: readonly NamedSource[], statements: readonly Statement[]): string[] {
  const known = new Set(statements.map(({ name }) => sourceOf(name, sources)))
  return sources.filter((each) => !known.has(each)).map(({ name, source }) => `${name} of ${source}`)
}
