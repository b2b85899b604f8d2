import pg from 'pg'
import { ConfigError } from '#server/house/config/environment.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { EmbeddedPostgresError } from '#server/house/db/embedded/embedded-postgres-error.ts'
import { StartRefused } from '#server/house/start-refused.ts'

/**
 * SQLSTATEs of a PostgreSQL that refuses connections: unreachable, wrong password, no such database, full, or starting.
 */
const NO_ENTRY = /^(08|28|3D|53|57P0)/
const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EFBIG: 'the file would become larger than this process may write',
  ENOTDIR: 'a part of that path is a file, not a folder',
  ENOENT: 'a folder above it cannot be written',
}

/** Returns the reason of a failed start in one sentence; null for an internal error, which needs its stack trace. */
export function explainStart(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof StartRefused || error instanceof EmbeddedPostgresError) {
    return error.message
  }
  if (error instanceof pg.DatabaseError && NO_ENTRY.test(error.code ?? '')) {
    return `the database cannot be used: ${error.message}`
  }
  if (!(error instanceof Error)) return null
  const { code = '', path } = error as NodeJS.ErrnoException
  // Node's error has no message if a host name has two addresses and both refuse.
  if (isDatabaseAway(error)) return `the database cannot be reached: ${error.message || code}`
  const reason = FILE_REASONS[code]
  return reason === undefined || path === undefined ? null : `${path} cannot be written: ${reason}`
}
