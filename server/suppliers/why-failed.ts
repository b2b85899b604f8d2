/** For staff: the code of the system or of TLS, then its words. OpenSSL begins its message with the id of a thread. */
export function whyFailed(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const words = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  if (code === null || words.includes(code)) return words === '' ? error.name : words
  return words === '' ? code : `${code}: ${words}`
}
