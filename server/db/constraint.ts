import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

const CHECK_VIOLATION = '23514'

export function isCheckViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION && error.constraint === constraint
}

const QUERY_CANCELED = '57014'

/** The statement ran into its `statement_timeout`. */
export function isOverTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
}

/** PostgreSQL refused a statement of ours. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

const AWAY_PATTERN = /^(08|53|57P0|58030|25006)/
const AWAY_ERRNO = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'])
const SILENT_WORDS = 'Query read timeout'
const AWAY_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after)/

export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_PATTERN.test(error.code ?? '') || isUnopened(error)
  if (!(error instanceof Error)) return false
  const errno = (error as NodeJS.ErrnoException).code
  return (errno !== undefined && AWAY_ERRNO.has(errno)) || AWAY_WORDS.test(error.message)
}

/** A new connection on a full disk: PostgreSQL has no code of its own for it. */
function isUnopened({ severity, code, message }: pg.DatabaseError): boolean {
  return severity === 'FATAL' && code === 'XX000' && message.startsWith('could not write init file')
}

/** A full or broken disk, or a stand-by: reads still work. */
const WRITE_REFUSED = new Set(['53100', '58030', '25006'])

export function isWriteRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && WRITE_REFUSED.has(error.code ?? '')
}

/** The statement may still be running, and its connection is unusable. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && error.message === SILENT_WORDS
}
