import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { KIBIBYTE } from '#contract/time.ts'
import {
  BACKUP_VERSION,
  BackupError,
  type BackupHeader,
  type BackupRow,
  type BackupSequence,
  type BackupTable,
  endLine,
  headerLine,
  MAX_LINE_BYTES,
  sequencesLine,
  tableEndLine,
  tableLine,
} from './backup-format.ts'
import { errorCode } from './embedded-postgres-error.ts'

export type BackupEntry =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'rows'; rows: BackupRow[] }
  | { kind: 'sequences'; sequences: BackupSequence[] }

const READ_CHUNK_BYTES = 256 * KIBIBYTE

/**
 * Reads a backup in order and checks it on the way: structure, counts and checksums. Memory stays small whatever the
 * file's size. Throws BackupError, for a damaged file possibly at its very end: nothing may be kept before that.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupEntry> {
  const check = new BackupCheck(file)
  for await (const lines of readLines(file)) {
    let rows: BackupRow[] = []
    for (const line of lines) {
      if (line[0] === ROW_START) {
        rows.push(check.row(line))
        continue
      }
      if (rows.length > 0) yield { kind: 'rows', rows }
      rows = []
      const entry = check.control(line)
      if (entry !== null) yield entry
    }
    if (rows.length > 0) yield { kind: 'rows', rows }
  }
  check.finished()
}

const ROW_START = '['.charCodeAt(0)
const LINE_END = '\n'.charCodeAt(0)

/** Lines without their end, in groups as they come from the file. */
async function* readLines(file: string): AsyncGenerator<Buffer[]> {
  const source = createReadStream(file)
  const gunzip = createGunzip({ chunkSize: READ_CHUNK_BYTES })
  source.on('error', (error) => gunzip.destroy(error))
  let rest: Buffer[] = []
  let restBytes = 0
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      const lines: Buffer[] = []
      let from = 0
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, from)) {
        lines.push(Buffer.concat([...rest, chunk.subarray(from, at)]))
        rest = []
        restBytes = 0
        from = at + 1
      }
      rest.push(chunk.subarray(from))
      restBytes += chunk.length - from
      if (restBytes > MAX_LINE_BYTES) throw damaged(file, 'a line is too long')
      yield lines
    }
  } catch (error) {
    throw explainReadError(error, file)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  if (restBytes > 0) throw damaged(file, 'its last line is not complete')
}

function explainReadError(error: unknown, file: string): unknown {
  const code = errorCode(error) ?? ''
  if (code === 'ENOENT') return new BackupError(`There is no file ${file}`)
  if (code === 'EACCES') return new BackupError(`${file} may not be read by this user`)
  if (code === 'EISDIR') return new BackupError(`${file} is a folder`)
  if (code === 'Z_BUF_ERROR') return damaged(file, 'it ends too early')
  if (code.startsWith('Z_')) return notABackup(file)
  return error
}

function damaged(file: string, why: string): BackupError {
  return new BackupError(`${file} is damaged: ${why}`)
}

function notABackup(file: string): BackupError {
  return new BackupError(`${file} is not a backup of Ringpost, or is damaged`)
}

/** Follows a backup line by line and knows what may come next. */
class BackupCheck {
  private readonly file: string
  private readonly whole = createHash('sha256')
  private next: 'header' | 'table' | 'rows' | 'end' | 'nothing' = 'header'
  private table: { name: string; columns: number; hash: Hash; rows: number } | null = null
  private tables = 0

  constructor(file: string) {
    this.file = file
  }

  row(line: Buffer): BackupRow {
    if (this.next !== 'rows' || this.table === null) throw this.unexpected()
    this.whole.update(line).update('\n')
    this.table.hash.update(line).update('\n')
    this.table.rows += 1
    const row = parseJson(line)
    const isRow =
      Array.isArray(row) &&
      row.length === this.table.columns &&
      row.every((value) => value === null || typeof value === 'string')
    if (!isRow) throw damaged(this.file, `a row of ${this.table.name} cannot be read`)
    return row
  }

  control(line: Buffer): BackupEntry | null {
    if (this.next === 'nothing') throw damaged(this.file, 'something follows its end')
    const value = parseJson(line)
    if (this.next === 'end') return this.end(value)
    this.whole.update(line).update('\n')
    if (this.next === 'header') return this.header(value)
    if (this.next === 'rows') return this.tableEnd(value)
    const table = tableLine.safeParse(value)
    if (table.success) return this.tableStart(table.data)
    const sequences = sequencesLine.safeParse(value)
    if (!sequences.success) throw this.unexpected()
    this.next = 'end'
    return { kind: 'sequences', sequences: sequences.data.sequences }
  }

  finished(): void {
    if (this.next === 'header') throw notABackup(this.file)
    if (this.next !== 'nothing') throw damaged(this.file, 'its end is missing')
  }

  private header(value: unknown): BackupEntry {
    const version = z.looseObject({ ringpostBackup: z.number() }).safeParse(value)
    if (!version.success) throw notABackup(this.file)
    if (version.data.ringpostBackup !== BACKUP_VERSION) {
      throw new BackupError(`${this.file} was made by another release, in a format this one does not know`)
    }
    const header = headerLine.safeParse(value)
    if (!header.success) throw this.unexpected()
    this.next = 'table'
    return { kind: 'header', header: header.data }
  }

  private tableStart(table: BackupTable): BackupEntry {
    const name = `${table.schema}.${table.table}`
    this.table = { name, columns: table.columns.length, hash: createHash('sha256'), rows: 0 }
    this.tables += 1
    this.next = 'rows'
    return { kind: 'table', table }
  }

  private tableEnd(value: unknown): null {
    const end = tableEndLine.safeParse(value)
    if (!end.success || this.table === null) throw this.unexpected()
    const { name, rows, hash } = this.table
    if (end.data.rows !== rows) throw damaged(this.file, `${name} has ${rows} rows instead of ${end.data.rows}`)
    if (end.data.sha256 !== hash.digest('hex')) throw damaged(this.file, `the rows of ${name} were changed`)
    this.next = 'table'
    return null
  }

  private end(value: unknown): null {
    const end = endLine.safeParse(value)
    if (!end.success) throw this.unexpected()
    if (end.data.tables !== this.tables || end.data.sha256 !== this.whole.digest('hex')) {
      throw damaged(this.file, 'its checksum is wrong')
    }
    this.next = 'nothing'
    return null
  }

  private unexpected(): BackupError {
    return this.next === 'header' ? notABackup(this.file) : damaged(this.file, 'a line is out of place')
  }
}

/** undefined for what is no JSON: the caller says what was expected instead. */
function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}
