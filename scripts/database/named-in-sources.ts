import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/**
 * A named SQL statement in a source file. `pattern` replaces a name that contains `${…}`. `values` are the expressions
 * for `$1`, `$2`, if the source lists them.
 */
export type NamedSource = {
  source: string
  name: string
  pattern?: RegExp
  values?: readonly (string | undefined)[]
  /** The position of the row's type in `query<Row>({ … })`. */
  row?: Span
}

export type Span = { start: number; end: number }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TEST_FILE = /\.test\.ts$|\/test-[^/]+\.ts$/

export async function readNamedSources(): Promise<NamedSource[]> {
  const entries = await readdir(join(ROOT, 'server'), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !TEST_FILE.test(path))
  const found = paths.sort().map(async (path) => namedIn(path, await readFile(join(ROOT, path), 'utf8')))
  return (await Promise.all(found)).flat()
}

export function namedIn(source: string, text: string): NamedSource[] {
  const { program, errors } = parseSync(source, text)
  if (errors[0] !== undefined) throw new Error(`${source}: ${errors[0].message}`)
  const found: NamedSource[] = []
  const rows = new Map<unknown, Span>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (!isNode(node)) return
    const row = rowOf(node)
    if (row !== undefined) rows.set(firstOf(node.arguments), row)
    if (node.type === 'ObjectExpression') found.push(...namedBy(node, { source, row: rows.get(node) }))
    Object.values(node).forEach(visit)
  }
  visit(program)
  return found
}

function rowOf(node: Node): Span | undefined {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || !isNode(node.typeArguments)) return undefined
  const called = node.callee.property
  const row = firstOf(node.typeArguments.params)
  if (!isNode(called) || called.name !== 'query' || !isNode(row)) return undefined
  return { start: Number(row.start), end: Number(row.end) }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

type Node = { type: string; [key: string]: unknown }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value
}

function namedBy(object: Node, { source, row }: { source: string; row: Span | undefined }): NamedSource[] {
  const name = propertyOf(object, 'name')
  if (name === undefined || propertyOf(object, 'text') === undefined) return []
  const values = valuesOf(propertyOf(object, 'values'))
  const rest = { ...(values !== undefined && { values }), ...(row !== undefined && { row }) }
  return namesOf(name).map((each) => ({ source, ...each, ...rest }))
}

function propertyOf(object: Node, key: string): Node | undefined {
  const properties = Array.isArray(object.properties) ? object.properties.filter(isNode) : []
  const found = properties.find((each) => isNode(each.key) && each.key.name === key)?.value
  return isNode(found) ? found : undefined
}

function namesOf(node: Node): { name: string; pattern?: RegExp }[] {
  if (node.type === 'ConditionalExpression') {
    return [node.consequent, node.alternate].filter(isNode).flatMap(namesOf)
  }
  if (node.type === 'Literal' && typeof node.value === 'string') return [{ name: node.value }]
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return []
  const parts = node.quasis.map((part) => String(part.value.cooked))
  return [{ name: parts.join('…'), pattern: new RegExp(`^${parts.join('.*')}$`) }]
}

/** Turns the expressions `[input.userId, now]` into the names `userId` and `now`. */
function valuesOf(node: Node | undefined): (string | undefined)[] | undefined {
  if (node?.type !== 'ArrayExpression' || !Array.isArray(node.elements)) return undefined
  return node.elements.map((element) => {
    const named = isNode(element) && element.type === 'MemberExpression' ? element.property : element
    return isNode(named) && named.type === 'Identifier' ? String(named.name) : undefined
  })
}

/** Finds the source of a sent SQL statement by its name. An exact name takes precedence over a pattern. */
export function sourceOf(name: string, sources: readonly NamedSource[]): NamedSource | undefined {
  return (
    sources.find((each) => each.pattern === undefined && each.name === name) ??
    sources.find((each) => each.pattern?.test(name) === true)
  )
}
