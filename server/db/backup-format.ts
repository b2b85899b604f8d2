import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { MEBIBYTE } from '#contract/time.ts'

/**
 * The format of a backup: gzip of lines in UTF-8. A line that begins with `{` says what follows, one that begins with
 * `[` is a row: every value as the text PostgreSQL writes for it, or null. docs/operations.md describes it for people.
 */
export const BACKUP_VERSION = 1

/** One row of the longest kind has some kilobytes; a line beyond this is no row of ours. */
export const MAX_LINE_BYTES = 64 * MEBIBYTE

export const headerLine = z.strictObject({
  ringpostBackup: z.number(),
  takenAt: z.string(),
  /** Files of /migrations that had been applied. */
  migrations: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
  /** The same of the job queue. */
  queueMigrations: z.array(z.number()),
})
export const tableLine = z.strictObject({ schema: z.string(), table: z.string(), columns: z.array(z.string()).min(1) })
export const tableEndLine = z.strictObject({ rows: z.number(), sha256: z.string() })
export const sequencesLine = z.strictObject({
  sequences: z.array(z.strictObject({ schema: z.string(), name: z.string(), value: z.string().regex(/^\d+$/) })),
})
export const endLine = z.strictObject({ tables: z.number(), sha256: z.string() })

export type BackupHeader = z.infer<typeof headerLine>
export type BackupTable = z.infer<typeof tableLine>
export type BackupSequence = z.infer<typeof sequencesLine>['sequences'][number]
export type BackupRow = readonly (string | null)[]

/** Why a file cannot be restored, or a backup not written, as one sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Makes the lines of a backup, with the counts and checksums that they carry. */
export class BackupLines {
  private readonly whole = createHash('sha256')
  private ofTable: { hash: Hash; rows: number } | null = null
  private tables = 0

  header(header: BackupHeader): string {
    return this.line(header)
  }

  table(table: BackupTable): string {
    this.ofTable = { hash: createHash('sha256'), rows: 0 }
    this.tables += 1
    return this.line(table)
  }

  /** Each row is a line of JSON without its end. */
  rows(rows: readonly string[]): string {
    if (this.ofTable === null) throw new Error('rows outside a table')
    for (const row of rows) {
      if (Buffer.byteLength(row) > MAX_LINE_BYTES) throw new BackupError('A row is too large to be backed up')
    }
    const text = rows.map((row) => `${row}\n`).join('')
    this.whole.update(text)
    this.ofTable.hash.update(text)
    this.ofTable.rows += rows.length
    return text
  }

  tableEnd(): string {
    if (this.ofTable === null) throw new Error('the end of no table')
    const { hash, rows } = this.ofTable
    this.ofTable = null
    return this.line({ rows, sha256: hash.digest('hex') })
  }

  end(sequences: BackupSequence[]): string {
    const text = this.line({ sequences })
    return `${text}${JSON.stringify({ tables: this.tables, sha256: this.whole.digest('hex') })}\n`
  }

  private line(value: object): string {
    const text = `${JSON.stringify(value)}\n`
    this.whole.update(text)
    return text
  }
}
