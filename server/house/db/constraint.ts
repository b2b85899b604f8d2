import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

const CHECK_VIOLATION = '23514'

export function isCheckViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION && error.constraint === constraint
}

const UNDEFINED_FUNCTION = '42883'

/** True if a database lacks a function, because its migrations have not run yet. */
export function isUndefinedFunction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNDEFINED_FUNCTION
}

const QUERY_CANCELED = '57014'

export function isOverTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
}

export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

const AWAY_PATTERN = /^(08|53|57P0|58030|25006)/
/** System calls that open a connection. If one fails, the database did not answer, whatever the error code. */
const CONNECTING = new Set(['connect', 'getaddrinfo'])
const LOST_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTCONN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
])
const SILENT_WORDS = 'Query read timeout'
const AWAY_WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|There was an error establishing an SSL connection|no host of the database takes writes|Cannot use a pool after)/

/** Returns true if an error means that the database is unreachable, not just a file-system error of the same code. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_PATTERN.test(error.code ?? '') || isUnopened(error)
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return CONNECTING.has(syscall) || LOST_ERRNO.has(code) || AWAY_WORDS.test(error.message)
}

/** Returns true if PostgreSQL refused a connection because its disk is full, for which it has no SQLSTATE. */
function isUnopened({ severity, code, message }: pg.DatabaseError): boolean {
  return severity === 'FATAL' && code === 'XX000' && message.startsWith('could not write init file')
}

const READ_ONLY = '25006'
/** SQLSTATEs of a full disk, a broken disk and a stand-by server, which still serve reads. */
const WRITE_REFUSED = new Set(['53100', '58030', READ_ONLY])

export function isWriteRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && WRITE_REFUSED.has(error.code ?? '')
}

/** Returns true if the connection is to a stand-by, so that only a new connection may find the primary. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === READ_ONLY
}

/** Returns true if PostgreSQL did not answer in time. The statement may still run, and its connection is unusable. */
export function isSilent(error: unknown): boolean {
  return error instanceof Error && error.message === SILENT_WORDS
}
