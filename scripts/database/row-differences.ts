import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'
import { type NamedSource, type Span, sourceOf } from './named-in-sources.ts'
import type { Statement } from './statement-files.ts'

const ANYTHING = 'anything'
/** The PostgreSQL types that pg returns as each TypeScript type. server/house/db/pool.ts changes `int8` only. */
const TYPES = {
  number: 'int2 int4 oid float4 float8',
  bigint: 'int8',
  string: 'numeric text varchar uuid name void',
  boolean: 'bool',
  Date: 'timestamptz date',
  Buffer: 'bytea',
  [ANYTHING]: 'json jsonb json[] jsonb[]',
  'string[]': 'int8[]',
  'number[]': 'numeric[]',
}
const KINDS = new Map(Object.entries(TYPES).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind])))

type Column = { name: string; kind: string; optional: boolean }
type Returned = NonNullable<Statement['returns']>
type Subject = { sources: readonly NamedSource[]; statements: readonly Statement[]; root?: string; config?: string }

/** The compiler configuration of the server only, because the types of the pages would double the time. */
const SERVER_ALONE = 'scripts/database/server.tsconfig.json'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Reports row types that differ from PostgreSQL's columns, except in null, which PostgreSQL does not report. */
export function rowDifferences({ sources, statements, root = ROOT, config = SERVER_ALONE }: Subject): string[] {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, config)] })
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error(`there is no ${config}`)
    return statements.flatMap((statement) => {
      const found = sourceOf(statement.name, sources)
      if (found?.row === undefined) return []
      const file = project.program.getSourceFile(join(root, found.source))
      const node = file === undefined ? undefined : nodeAt(file, found.row)
      const type = node === undefined ? undefined : project.checker.getTypeAtLocation(node)
      if (type === undefined) throw new Error(`${found.source} has no type of a row for ${statement.name}`)
      const returns = statement.returns ?? []
      const columns = recordColumns(type, project.checker, returns) ?? columnsOf(type, project.checker)
      return differencesOf(columns, returns).map((why) => `${found.source}: ${statement.name} ${why}`)
    })
  } finally {
    api.close()
  }
}

function nodeAt(file: SourceFile, { start, end }: Span): Node | undefined {
  let node: Node | undefined = file
  while (node !== undefined && !(node.end === end && node.getStart(file) === start)) {
    node = node.forEachChild((child) => (child.pos <= start && child.end >= end ? child : undefined))
  }
  return node
}

function recordColumns(row: Type, checker: Checker, returns: Returned): Column[] | undefined {
  const [all] = checker.getIndexInfosOfType(row)
  if (all === undefined) return undefined
  return returns.map(({ name }) => ({ name, kind: kindOf(partsOf(all.valueType), checker), optional: true }))
}

/**
 * Returns the columns of a row's type, of all shapes that the row may have. A column that a shape lacks is optional.
 */
function columnsOf(row: Type, checker: Checker): Column[] {
  const shapes = partsOf(row).map((shape) => checker.getPropertiesOfType(shape))
  const named = Map.groupBy(shapes.flat(), ({ name }) => name)
  return [...named].map(([name, symbols]) => {
    const parts = checker.getTypeOfSymbol(symbols).flatMap(partsOf)
    const optional = symbols.length < shapes.length || parts.some(({ flags }) => (flags & TypeFlags.Undefined) !== 0)
    return { name, kind: kindOf(parts, checker), optional }
  })
}

function partsOf(type: Type | undefined): readonly Type[] {
  if (type === undefined) return []
  return type.isUnionType() ? type.getTypes().flatMap(partsOf) : [type]
}

function kindOf(parts: readonly Type[], checker: Checker): string {
  const present = parts.filter(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) === 0)
  const kinds = new Set(present.map((part) => kindOfPart(part, checker)))
  return [...kinds].sort().join(' | ')
}

function kindOfPart(type: Type, checker: Checker): string {
  if ((type.flags & TypeFlags.StringLike) !== 0) return 'string'
  if ((type.flags & TypeFlags.NumberLike) !== 0) return 'number'
  if ((type.flags & TypeFlags.BigIntLike) !== 0) return 'bigint'
  if ((type.flags & TypeFlags.BooleanLike) !== 0) return 'boolean'
  if ((type.flags & TypeFlags.AnyOrUnknown) !== 0) return ANYTHING
  if (!type.isTypeReference() || !checker.isArrayType(type)) return type.getSymbol()?.name ?? 'no type of a column'
  return `${kindOf(partsOf(checker.getTypeArguments(type)[0]), checker)}[]`
}

function differencesOf(columns: readonly Column[], returns: Returned): string[] {
  const returned = new Map(returns.map(({ name, type }) => [name, type]))
  const typed = new Set(columns.map(({ name }) => name))
  const wrong = columns.flatMap(({ name, kind, optional }) => {
    const type = returned.get(name)
    if (type === undefined) return optional ? [] : [`returns no ${name}`]
    const expected = kindOfType(type)
    const fits = [expected, ANYTHING, ''].includes(kind) || expected === ANYTHING
    return fits ? [] : [`returns ${name} as ${type}, which is ${expected}, not ${kind}`]
  })
  const unread = [...returned.keys()].filter((name) => !typed.has(name))
  return [...wrong, ...unread.map((name) => `returns ${name}, which its row does not name`)]
}

function kindOfType(type: string): string {
  return KINDS.get(type) ?? (type.endsWith('[]') ? `${kindOfType(type.slice(0, -2))}[]` : `unknown to this check`)
}
