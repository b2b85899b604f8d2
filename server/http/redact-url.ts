const SECRET_NAMES = new Set([
  'api_key',
  'apikey',
  'key',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'password',
  'signature',
  'code',
  'state',
])

/** What looks like an API key or a token is replaced wherever it stands: programs also put them where none belongs. */
const KEY_LIKE = /[A-Za-z0-9_-]{32,}/g
const HIDDEN = '***'

/** A request's address as it may be logged: values of parameters that carry keys, tokens and one-time codes are replaced. */
export function redactUrl(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return url.replaceAll(KEY_LIKE, HIDDEN)
  const parts = url.slice(start + 1).split('&')
  return `${url.slice(0, start)}?${parts.map(redactPart).join('&')}`.replaceAll(KEY_LIKE, HIDDEN)
}

function redactPart(part: string): string {
  const equals = part.indexOf('=')
  const name = equals === -1 ? part : part.slice(0, equals)
  return SECRET_NAMES.has(decode(name)) ? `${name}=${HIDDEN}` : part
}

/** A name that cannot be decoded is none that we read. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}
