import { decodeGsm7 } from '#server/adapters/shared/incoming/gsm-alphabet.ts'
import { readUtf8 } from '#server/adapters/shared/incoming/readable.ts'

const MAX_SENDER_LENGTH = 64
const LAST_CONTROL = 0x1f
const DELETE = 0x7f
const SHORTEST_WIDE = 4

/**
 * Decodes a message's sender. A PDU does not name the alphabet, so the octets decide (docs/api/smpp.md). The type of
 * number does not help, because gateways leave it out.
 */
export function senderText(octets: Buffer): string {
  return read(octets).replaceAll(/\p{C}/gu, '').trim().slice(0, MAX_SENDER_LENGTH)
}

/** Decodes octets. Printable ASCII is meant as ASCII, because `GOOGLE_NOW` occurs and `GOOGLE§NOW` does not. */
function read(octets: Buffer): string {
  const hasControls = octets.some((octet) => octet <= LAST_CONTROL || octet === DELETE)
  const isAscii = octets.every((octet) => octet <= DELETE)
  if (isAscii && !hasControls) return octets.toString('latin1')
  const wide = readWide(octets)
  if (wide !== null) return wide
  const utf8 = isAscii ? null : readUtf8(octets)
  if (utf8 !== null) return utf8
  // Only the GSM alphabet has letters in place of ASCII control characters.
  return hasControls ? decodeGsm7(octets) : new TextDecoder('windows-1252').decode(octets)
}

/** Recognises UCS-2 of one block, such as Cyrillic, where every second octet is the same control character. */
function readWide(octets: Buffer): string | null {
  const block = octets[0] ?? 0
  if (octets.length < SHORTEST_WIDE || octets.length % 2 !== 0 || block > LAST_CONTROL) return null
  if (!octets.every((octet, at) => at % 2 !== 0 || octet === block)) return null
  const text = Buffer.from(octets).swap16().toString('utf16le')
  return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : null
}
