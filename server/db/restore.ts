import { BackupError, type BackupHeader, type BackupRow, type BackupSequence } from './backup-format.ts'
import { listMigrations, migrate } from './migrate.ts'
import { openConnection } from './own-connection.ts'
import type { Db, Pool } from './pool.ts'
import { type BackupEntry, readBackup } from './read-backup.ts'
import {
  listAppliedMigrations,
  listStoredTables,
  qualified,
  quote,
  type StoredTable,
  TEXT_SETTINGS,
} from './stored-tables.ts'

export type RestoreSummary = { takenAt: string; tables: number; rows: number }

/** What every start puts in anew: a database that holds nothing else still counts as empty. */
const SEEDED_TABLES = ['public.services', 'public.countries']
const BATCH_ROWS = 1_000
const BATCH_BYTES = 1_000_000

/**
 * Fills an empty database from a backup, all or nothing. `beforeCommit` sees the restored rows and may refuse them by
 * throwing. The file is read twice: first to be sure of it, before anything is touched. No server may run meanwhile.
 * Throws BackupError when the file is damaged or of another release, or the database is not empty.
 */
export async function restoreDatabase(
  pool: Pool,
  file: string,
  beforeCommit: (tx: Db) => Promise<void> = async () => undefined,
): Promise<RestoreSummary> {
  const header = await checkFile(file)
  await checkRelease(header, file)
  await refuseForeignTables(pool)
  await migrate(pool)
  // Ends the transaction too, unless it was committed.
  await using own = await openConnection(pool.options.connectionString, 'ringpost restore')
  const tx = own.db
  await tx.query({ text: 'BEGIN' })
  const rows = await load(tx, file)
  await beforeCommit(tx)
  await tx.query({ text: 'COMMIT' })
  const tables = await listStoredTables(tx)
  // Without statistics the first queries would be planned for empty tables.
  await tx.query({ text: 'ANALYZE' })
  return { takenAt: header.takenAt, tables: tables.length, rows }
}

async function checkFile(file: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  for await (const entry of readBackup(file)) if (entry.kind === 'header') header = entry.header
  if (header === undefined) throw new BackupError(`${file} has no header`)
  return header
}

async function checkRelease(header: BackupHeader, file: string): Promise<void> {
  const mine = await listMigrations()
  if (JSON.stringify(mine) === JSON.stringify(header.migrations)) return
  throw new BackupError(
    `${file} was made by another release (its last migration is ${header.migrations.at(-1)?.name ?? 'none'}, here it is ${mine.at(-1)?.name ?? 'none'}): ` +
      'restore it with that release, then start this one',
  )
}

/** Before migrating: somebody else's database is not touched at all. */
async function refuseForeignTables(db: Db): Promise<void> {
  const { rows } = await db.query<{ table: string }>({
    text: `SELECT tablename AS table FROM pg_tables WHERE schemaname = 'public'
      AND to_regclass('public.schema_migrations') IS NULL LIMIT 1`,
  })
  if (rows[0] !== undefined) throw notEmpty(rows[0].table)
}

function notEmpty(table: string): BackupError {
  return new BackupError(`The database is not empty (${table} has rows or is not ours): restore into a new, empty one`)
}

async function load(tx: Db, file: string): Promise<number> {
  await tx.query({ text: TEXT_SETTINGS })
  const tables = await listStoredTables(tx)
  await tx.query({ text: `LOCK TABLE ${tables.map(qualified).join(', ')} IN ACCESS EXCLUSIVE MODE` })
  await refuseRows(tx, tables)
  const references = await dropReferences(tx)
  await tx.query({ text: `DELETE FROM services; DELETE FROM countries` })
  const loading = new Loading(tx, tables, file)
  for await (const entry of readBackup(file)) await loading.take(entry)
  await loading.finish()
  for (const { table, name, definition } of references) {
    await tx.query({ text: `ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}` })
  }
  return loading.rows
}

async function refuseRows(tx: Db, tables: readonly StoredTable[]): Promise<void> {
  for (const table of tables) {
    if (SEEDED_TABLES.includes(`${table.schema}.${table.table}`)) continue
    const { rowCount } = await tx.query({ text: `SELECT FROM ${qualified(table)} LIMIT 1` })
    if (rowCount > 0) throw notEmpty(table.table)
  }
}

type Reference = { table: string; name: string; definition: string }

/** Tables are filled in the order of their names, whatever refers to what; putting the references back checks them all. */
async function dropReferences(tx: Db): Promise<Reference[]> {
  const { rows } = await tx.query<Reference>({
    text: `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
      ORDER BY oid`,
  })
  for (const { table, name } of rows) {
    await tx.query({ text: `ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}` })
  }
  return rows
}

/** Puts rows in as they are read, in batches. */
class Loading {
  rows = 0
  private readonly tx: Db
  private readonly file: string
  private readonly missing: Map<string, StoredTable>
  private table: StoredTable | null = null
  private batch: BackupRow[] = []
  private batchBytes = 0

  constructor(tx: Db, tables: readonly StoredTable[], file: string) {
    this.tx = tx
    this.file = file
    this.missing = new Map(tables.map((table) => [qualified(table), table]))
  }

  async take(entry: BackupEntry): Promise<void> {
    switch (entry.kind) {
      case 'header':
        return this.checkQueue(entry.header)
      case 'table':
        await this.flush()
        this.table = this.claim(entry.table)
        return
      case 'rows':
        return this.add(entry.rows)
      case 'sequences':
        await this.flush()
        return this.setSequences(entry.sequences)
      default:
        return entry satisfies never
    }
  }

  async finish(): Promise<void> {
    const forgotten = this.missing.keys().next().value
    if (forgotten !== undefined) throw new BackupError(`${this.file} has no table ${forgotten}`)
  }

  private async checkQueue(header: BackupHeader): Promise<void> {
    const { queueMigrations } = await listAppliedMigrations(this.tx)
    if (JSON.stringify(queueMigrations) === JSON.stringify(header.queueMigrations)) return
    throw new BackupError(`${this.file} was made by another release, with another job queue: restore it with that one`)
  }

  private claim(table: { schema: string; table: string; columns: string[] }): StoredTable {
    const name = qualified(table)
    const stored = this.missing.get(name)
    this.missing.delete(name)
    const columns = stored?.columns.map((column) => column.name)
    if (stored === undefined || JSON.stringify(columns) !== JSON.stringify(table.columns)) {
      throw new BackupError(`${this.file} has a table ${name} that this release does not have in this form`)
    }
    return stored
  }

  private async add(rows: readonly BackupRow[]): Promise<void> {
    for (const row of rows) {
      this.batch.push(row)
      for (const value of row) this.batchBytes += value?.length ?? 0
      if (this.batch.length >= BATCH_ROWS || this.batchBytes >= BATCH_BYTES) await this.flush()
    }
  }

  private async flush(): Promise<void> {
    const { table, batch } = this
    if (table === null || batch.length === 0) return
    const names = table.columns.map((column) => quote(column.name)).join(', ')
    const values = table.columns.map((column, place) => `v${place}::${column.type}`).join(', ')
    const arrays = table.columns.map((_, place) => `$${place + 1}::text[]`).join(', ')
    const aliases = table.columns.map((_, place) => `v${place}`).join(', ')
    await this.tx.query({
      text: `INSERT INTO ${qualified(table)} (${names}) OVERRIDING SYSTEM VALUE
        SELECT ${values} FROM unnest(${arrays}) AS r (${aliases})`,
      values: table.columns.map((_, place) => batch.map((row) => row[place])),
    })
    this.rows += batch.length
    this.batch = []
    this.batchBytes = 0
  }

  private async setSequences(sequences: readonly BackupSequence[]): Promise<void> {
    for (const { schema, name, value } of sequences) {
      const sequence = qualified({ schema, table: name })
      // A counter is not undone with its transaction, unless it was made anew in it: RESTART does that.
      await this.tx.query({ text: `ALTER SEQUENCE ${sequence} RESTART` })
      await this.tx.query({ text: 'SELECT setval($1::regclass, $2::bigint)', values: [sequence, value] })
    }
  }
}
