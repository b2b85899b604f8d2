import type { IntakeRequest, Verdict } from '#server/core/suppliers/supplier.ts'
import { freshTime, hmac, isSame, isSignedByAny } from '../shared/incoming/signatures.ts'
import { parseObject, textIn } from './json.ts'

const BEARER = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i

export type Claims = Record<string, unknown>

/** Reads a token of RFC 7519, signed by HS256 only. Its `iat` must be fresh. `nbf` and `exp` are checked if present. */
export function readBearerToken(
  { headers, receivedAt }: IntakeRequest,
  { secrets, toleranceSeconds }: { secrets: readonly string[]; toleranceSeconds: number },
): { claims: Claims } | Extract<Verdict, { genuine: false }> {
  const wrong = (reason: string) => ({ genuine: false as const, reason })
  const [, head, body, signature] = BEARER.exec(headers.authorization ?? '') ?? []
  if (head === undefined || body === undefined || signature === undefined) return wrong('there is no bearer token')
  if (textIn(decode(head), 'alg') !== 'HS256') return wrong('the token is not signed by HS256')
  const isSigned = (secret: string) =>
    isSame(signature, hmac('sha256', secret, `${head}.${body}`).toString('base64url'))
  if (!isSignedByAny(secrets, isSigned)) return wrong('the signature of the token is wrong')
  const claims = decode(body)
  if (claims === null) return wrong('the token has no claims')
  const now = receivedAt.getTime() / 1_000
  if (freshTime(String(claims.iat), receivedAt, toleranceSeconds) === null)
    return wrong('the time of the token is not now')
  if (claims.exp !== undefined && !(Number(claims.exp) > now)) return wrong('the token has expired')
  if (claims.nbf !== undefined && !(Number(claims.nbf) <= now + toleranceSeconds))
    return wrong('the token is not valid yet')
  return { claims }
}

function decode(part: string): Claims | null {
  return parseObject(Buffer.from(part, 'base64url'))
}
