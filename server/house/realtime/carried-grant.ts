import { type AppCredentials, isSigned, sign } from '#server/house/realtime/channel-auth.ts'
import type { Grant } from '#server/house/realtime/connection.ts'

/**
 * Signs a permission for a socket that another node holds. The signature carries the permission, because only the
 * socket's node could remember it. Clients pass the text on as it is.
 */
export function signCarried(credentials: AppCredentials, signed: string, grant: Grant): string {
  const { sessionId, userId, byKey = false, expiresAtMs } = grant
  const carried = Buffer.from(JSON.stringify([sessionId, userId, byKey, expiresAtMs])).toString('base64url')
  return `${sign(credentials, `${signed}:${carried}`)}:${carried}`
}

/** Returns the permission that another node signed for this socket; null if there is none, or it has expired. */
export function readCarried(
  credentials: AppCredentials,
  { signed, auth, nowMs }: { signed: string; auth: string; nowMs: number },
): Grant | null {
  const at = auth.lastIndexOf(':')
  const carried = auth.slice(at + 1)
  if (!isSigned(credentials, `${signed}:${carried}`, auth.slice(0, at))) return null
  // The cast is safe: only signCarried makes texts that our secret signed in this form.
  const fields = JSON.parse(Buffer.from(carried, 'base64url').toString()) as [string, number, boolean, number]
  const [sessionId, userId, byKey, expiresAtMs] = fields
  return expiresAtMs > nowMs ? { sessionId, userId, byKey, expiresAtMs } : null
}
