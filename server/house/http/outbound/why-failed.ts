/** The maximum length of a reason, in characters. An error about a certificate may list all of its names. */
const MOST_LENGTH = 200
/** Matches URLs. The user, path and query of a URL may contain a secret, so they are removed. */
const ADDRESS = /\b(https?:\/\/)(?:[^\s/@]*@)?([^\s/?#]+)\S*/g

/** Describes an error to staff by code and message. OpenSSL's `reason` is used, as its messages begin with an id. */
export function whyFailed(error: unknown, mostLength = MOST_LENGTH): string {
  return reasonOf(error).replaceAll(ADDRESS, '$1$2').slice(0, mostLength).toWellFormed()
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The message of a `fetch` error says nothing, but its cause does.
  if (error.message === 'fetch failed' && error.cause instanceof Error) return reasonOf(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const words = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  if (code === null || words.includes(code)) return words === '' ? error.name : words
  return words === '' ? code : `${code}: ${words}`
}

/** The maximum number of reasons logged per outage, because a remote server may word each failure differently. */
export const MOST_REASONS = 10
