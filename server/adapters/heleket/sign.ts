import { createHash, timingSafeEqual } from 'node:crypto'

/** Of the bytes as they are sent (docs/06-webhooks.md of Heleket/php-sdk); the key differs for payments and payouts. */
export function signOf(body: Buffer, key: string): string {
  return createHash('md5')
    .update(body.toString('base64') + key)
    .digest('hex')
}

const MEMBER = /"sign":"([0-9a-f]{32})"/g

/**
 * The signature of a webhook is a member of its own body, and is of the body without it. JSON that is read and written again has
 * other floats, slashes and empty objects, so it is cut out of the bytes. Null: not genuine.
 */
export function openSigned(body: Buffer, key: string): Buffer | null {
  // Latin 1 keeps each byte as one character.
  const text = body.toString('latin1')
  const member = [...text.matchAll(MEMBER)].at(-1)
  if (member === undefined) return null
  const [whole, sign = ''] = member
  const [before, after] = [text.slice(0, member.index), text.slice(member.index + whole.length)]
  const rest = before.endsWith(',') ? before.slice(0, -1) + after : before + after.replace(/^,/, '')
  const unsigned = Buffer.from(rest, 'latin1')
  return timingSafeEqual(Buffer.from(sign), Buffer.from(signOf(unsigned, key))) ? unsigned : null
}
