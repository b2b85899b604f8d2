import type { Db, Query } from '#server/house/db/pool.ts'

type PlanNode = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Counts the table rows that `work` reads. Unlike the time, this cost is the same on a busy machine. */
export async function countRowsRead(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
  let count = 0
  await work({
    async query<Row>({ text, values, limitMs }: Query) {
      const slow = limitMs === undefined ? {} : { limitMs }
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
        text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        ...(values !== undefined && { values }),
        ...slow,
      })
      count += rows.reduce((sum, row) => sum + readBy(row['QUERY PLAN'][0].Plan), 0)
      return db.query<Row>({ text, ...(values !== undefined && { values }), ...slow })
    },
  })
  return count
}

function readBy(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + readBy(child), 0)
  if (node['Relation Name'] === undefined) return below
  return below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}
