/** A peer's words may be long: a certificate lists all its names. */
const MOST_LENGTH = 200
/** Its user, its path and its query may hold a key. */
const ADDRESS = /\b(https?:\/\/)(?:[^\s/@]*@)?([^\s/?#]+)\S*/g

/** For staff: the code of the system or of TLS, then its words. OpenSSL begins its message with the id of a thread. */
export function whyFailed(error: unknown, mostLength = MOST_LENGTH): string {
  return reasonOf(error).replaceAll(ADDRESS, '$1$2').slice(0, mostLength).toWellFormed()
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // `fetch` says nothing itself.
  if (error.message === 'fetch failed' && error.cause instanceof Error) return reasonOf(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const words = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  if (code === null || words.includes(code)) return words === '' ? error.name : words
  return words === '' ? code : `${code}: ${words}`
}

/** Reasons that are told of one outage. A peer that gives each failure other words would fill the events. */
export const MOST_REASONS = 10
