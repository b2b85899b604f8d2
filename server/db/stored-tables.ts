import type { BackupHeader, BackupSequence } from './backup-format.ts'
import type { Db } from './pool.ts'

/** A table whose rows belong to a backup. `columns` leaves out what PostgreSQL computes by itself. */
export type StoredTable = {
  schema: string
  table: string
  columns: { name: string; type: string }[]
  /** Columns of the primary key, in its order: rows are copied in it. */
  key: string[]
}

/** Ours, and of the job queue what is ours as well: the jobs, with what they refer to. Its migrations are its own. */
const SCHEMAS = ['public', 'graphile_worker']
const OWN_RECORDS = ['public.schema_migrations', 'graphile_worker.migrations']

/** Every table that a backup holds, by name. */
export async function listStoredTables(db: Db): Promise<StoredTable[]> {
  const { rows } = await db.query<StoredTable>({
    text: `SELECT n.nspname AS schema, c.relname AS table,
        (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
        COALESCE((SELECT json_agg(a.attname ORDER BY k.place)
          FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, place), pg_attribute a
          WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid AND a.attnum = k.attnum), '[]') AS key
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname = ANY ($1) AND n.nspname || '.' || c.relname <> ALL ($2)
      ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`,
    values: [SCHEMAS, OWN_RECORDS],
  })
  return rows
}

/** Where the counters stand. One that was never used is left out. */
export async function listSequences(db: Db): Promise<BackupSequence[]> {
  const { rows } = await db.query<BackupSequence>({
    text: `SELECT schemaname AS schema, sequencename AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = ANY ($1) AND last_value IS NOT NULL ORDER BY schemaname COLLATE "C", sequencename COLLATE "C"`,
    values: [SCHEMAS],
  })
  return rows
}

/** Which migrations made this database, ours and those of the job queue. */
export async function listAppliedMigrations(db: Db): Promise<Pick<BackupHeader, 'migrations' | 'queueMigrations'>> {
  const ours = await db.query<{ name: string; sha256: string }>({
    text: 'SELECT name, sha256 FROM schema_migrations ORDER BY name',
  })
  const queue = await db.query<{ id: number }>({ text: 'SELECT id FROM graphile_worker.migrations ORDER BY id' })
  return { migrations: ours.rows, queueMigrations: queue.rows.map((row) => row.id) }
}

export function qualified({ schema, table }: { schema: string; table: string }): string {
  return `${quote(schema)}.${quote(table)}`
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** However the server or its role is set up, values are written and read the same way. */
export const TEXT_SETTINGS = `SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),
  set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`
