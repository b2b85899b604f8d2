import pg from 'pg'
import type { Statement } from './measured-service.ts'

export type PlanNode = {
  kind: string
  table: string | undefined
  index: string | undefined
  rows: number
  removed: number
  blocks: number
}

/** Returns PostgreSQL's query plan of a statement: a custom plan, or the generic plan of a prepared statement. */
export async function explain(
  client: pg.Client,
  { text, values }: Statement,
  mode: 'force_custom_plan' | 'force_generic_plan',
): Promise<PlanNode[]> {
  await client.query(`SET plan_cache_mode = ${mode}`)
  await client.query(`PREPARE explained AS ${text}`)
  const list = values.length === 0 ? '' : `(${values.map(toLiteral).join(', ')})`
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained${list}`)
  await client.query('DEALLOCATE explained')
  return flatten(rows[0]['QUERY PLAN'][0].Plan)
}

type Explained = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Explained[]
}

function flatten(node: Explained): PlanNode[] {
  const children = (node.Plans ?? []).flatMap(flatten)
  const own: PlanNode = {
    kind: node['Node Type'],
    table: node['Relation Name'],
    index: node['Index Name'],
    rows: Math.round(node['Actual Rows'] * node['Actual Loops']),
    removed: node['Rows Removed by Filter'] ?? 0,
    blocks: node['Shared Hit Blocks'] + node['Shared Read Blocks'],
  }
  return [own, ...children]
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`)
  return pg.escapeLiteral(String(value))
}
