import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

/** Whether the database refused because of this very constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

/** SQLSTATE classes and codes that say the server is away, starting, stopping, full or a stand-by, not that the query is wrong. */
const AWAY_PATTERN = /^(08|53|57P0|58030|25006)/
const AWAY_ERRNO = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])
/** What pg says when `query_timeout` has passed. */
const SILENT_WORDS = 'Query read timeout'
const AWAY_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/

/** Whether a failure means that PostgreSQL cannot be used now: the caller is told 503 and to come again. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_PATTERN.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const errno = (error as NodeJS.ErrnoException).code
  return (errno !== undefined && AWAY_ERRNO.has(errno)) || AWAY_WORDS.test(error.message)
}

/** The disk is full or broken, or the server a stand-by: it answers, and reads go on. */
const WRITE_REFUSED = new Set(['53100', '58030', '25006'])

/** Whether PostgreSQL answers but takes no writes. */
export function isWriteRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && WRITE_REFUSED.has(error.code ?? '')
}

/** Whether PostgreSQL did not answer in time: the statement may still be under way, and its connection is of no more use. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && error.message === SILENT_WORDS
}
