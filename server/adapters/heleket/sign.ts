import { createHash, timingSafeEqual } from 'node:crypto'

/** Signs the bytes to send (docs/06-webhooks.md of Heleket/php-sdk). Payments and payouts have different keys. */
export function signOf(body: Buffer, key: string): string {
  return createHash('md5')
    .update(body.toString('base64') + key)
    .digest('hex')
}

const MEMBER = /"sign":"([0-9a-f]{32})"/g

/**
 * Returns a webhook's body without its signature, or null if the signature is wrong. The signature is a member of the
 * JSON object and covers all others. It is cut out of the bytes, because parsed and rewritten JSON has different
 * floats, slashes and empty objects.
 */
export function openSigned(body: Buffer, key: string): Buffer | null {
  // Latin-1 keeps each byte as one character.
  const text = body.toString('latin1')
  const member = [...text.matchAll(MEMBER)].at(-1)
  if (member === undefined) return null
  const [whole, sign = ''] = member
  const [before, after] = [text.slice(0, member.index), text.slice(member.index + whole.length)]
  const rest = before.endsWith(',') ? before.slice(0, -1) + after : before + after.replace(/^,/, '')
  const unsigned = Buffer.from(rest, 'latin1')
  return timingSafeEqual(Buffer.from(sign), Buffer.from(signOf(unsigned, key))) ? unsigned : null
}
