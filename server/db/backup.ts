import { createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BACKUP_VERSION, BackupError, BackupLines } from './backup-format.ts'
import { errorCode } from './embedded-postgres-error.ts'
import { openConnection } from './own-connection.ts'
import type { Db, Pool } from './pool.ts'
import {
  listAppliedMigrations,
  listSequences,
  listStoredTables,
  qualified,
  quote,
  type StoredTable,
  TEXT_SETTINGS,
} from './stored-tables.ts'

export type BackupSummary = { tables: number; rows: number }

const FETCH_ROWS = 500

/**
 * Writes everything that is in the database at this moment to a new file, readable by its owner only. Purchases go on
 * meanwhile. The file appears complete and on disk, or not at all. Throws BackupError with a sentence for the operator.
 */
export async function backupDatabase(pool: Pool, input: { file: string; now: Date }): Promise<BackupSummary> {
  const { file } = input
  if (await exists(file)) throw new BackupError(`${file} exists already: choose another name`)
  const unfinished = `${file}.${process.pid}.part`
  await using own = await openConnection(pool.options.connectionString, 'ringpost backup')
  const summary: BackupSummary = { tables: 0, rows: 0 }
  try {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(copyAll(own.db, input.now, summary)), createGzip(), target)
    await rename(unfinished, file)
    await syncFolder(dirname(file))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(unfinished, { force: true })
    throw explainWriteError(error, file)
  }
  return summary
}

/** The lines of the backup, made as they are asked for: the database is read no faster than the file is written. */
async function* copyAll(db: Db, now: Date, summary: BackupSummary): AsyncGenerator<string> {
  const lines = new BackupLines()
  await db.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' })
  await db.query({ text: TEXT_SETTINGS })
  const applied = await listAppliedMigrations(db)
  const tables = await listStoredTables(db)
  // Nobody may change a table's shape between here and its turn.
  await db.query({ text: `LOCK TABLE ${tables.map(qualified).join(', ')} IN ACCESS SHARE MODE` })
  yield lines.header({ ringpostBackup: BACKUP_VERSION, takenAt: now.toISOString(), ...applied })
  for (const table of tables) {
    summary.tables += 1
    yield lines.table({ schema: table.schema, table: table.table, columns: table.columns.map(({ name }) => name) })
    for await (const rows of copyRows(db, table)) {
      summary.rows += rows.length
      yield lines.rows(rows)
    }
    yield lines.tableEnd()
  }
  // Read last: a counter is not part of the snapshot, and may stand higher than the rows but never lower.
  yield lines.end(await listSequences(db))
  await db.query({ text: 'COMMIT' })
}

async function* copyRows(db: Db, table: StoredTable): AsyncGenerator<string[]> {
  const order = table.key.length > 0 ? table.key.map((column) => `t.${quote(column)}`).join(', ') : 't::text'
  await db.query({
    text: `DECLARE copying NO SCROLL CURSOR FOR
      SELECT to_json(ARRAY[${table.columns.map((column) => textOf(table, column.name)).join(', ')}])::text AS line
      FROM ${qualified(table)} t ORDER BY ${order}`,
  })
  for (;;) {
    const { rows } = await db.query<{ line: string }>({ text: `FETCH ${FETCH_ROWS} FROM copying` })
    if (rows.length === 0) break
    yield rows.map((row) => row.line)
  }
  await db.query({ text: 'CLOSE copying' })
}

/** A job that some process was working on is free in the copy: that process will not be there. */
function textOf(table: StoredTable, column: string): string {
  const isLock = table.schema === 'graphile_worker' && (column === 'locked_at' || column === 'locked_by')
  return isLock ? 'NULL::text' : `t.${quote(column)}::text`
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** After a loss of power the new name is still there. Windows does not let a folder be opened, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would become larger than this process may write',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EEXIST: 'another backup to this file is under way',
}

function explainWriteError(error: unknown, file: string): unknown {
  const reason = REASONS[errorCode(error) ?? '']
  if (reason === undefined) return error
  return new BackupError(`${file} was not written: ${reason}`, { cause: error })
}
