import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '#server/house/clock.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { writeWhole } from '#server/house/write-whole.ts'

const SECRET_BYTES = 32

export async function findSecretKey(
  input: { dataDir: string; secretKey: string | null },
  random: Random,
): Promise<string> {
  if (input.secretKey !== null) return input.secretKey
  const file = join(input.dataDir, 'secret-key')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null) return kept.trim()
  const made = random.bytes(SECRET_BYTES).toString('base64url')
  await writeWhole(file, `${made}\n`)
  return made
}

type Stored = Record<string, unknown>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = 'v1.'

export function seal(value: Stored, secretKey: string, random: Random): Stored {
  if (Object.keys(value).length === 0) return {}
  const nonce = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, encryptionKey(secretKey), nonce)
  const hidden = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return { sealed: FORM + Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url') }
}

/**
 * Decrypts a stored value. `outdated` means that it was unencrypted or encrypted with a former key, and should be
 * encrypted again. Throws StartRefused if no key opens the value.
 */
export function unseal(stored: Stored, secretKeys: readonly string[]): { value: Stored; outdated: boolean } {
  if (Object.keys(stored).length === 0) return { value: {}, outdated: false }
  const { sealed } = stored
  if (typeof sealed !== 'string' || !sealed.startsWith(FORM)) return { value: stored, outdated: true }
  for (const [place, key] of secretKeys.entries()) {
    const value = tryUnseal(Buffer.from(sealed.slice(FORM.length), 'base64url'), key)
    if (value !== null) return { value, outdated: place > 0 }
  }
  throw new StartRefused('SECRET_KEY does not open what was stored with another one: name that in SECRET_KEY_PREVIOUS')
}

function tryUnseal(bytes: Buffer, secretKey: string): Stored | null {
  const decipher = createDecipheriv(CIPHER, encryptionKey(secretKey), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const hidden = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    const text = Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
    // GCM's authentication tag proves that `seal` wrote the value, so the text is a JSON object.
    return JSON.parse(text) as Stored
  } catch {
    return null
  }
}

function encryptionKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'ringpost: secrets at rest', 32))
}
