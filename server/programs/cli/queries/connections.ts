import type { Db } from '#server/house/db/pool.ts'

export async function countOtherConnections(db: Db, applicationName: string): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    text: `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
      AND application_name <> $1`,
    values: [applicationName],
  })
  return Number(rows[0]?.count ?? 0n)
}
