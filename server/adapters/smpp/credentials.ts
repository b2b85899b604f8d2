import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Random } from '#server/house/clock.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32
const SALT_BYTES = 16

export type Credentials = { password?: string | undefined; passwordHash?: string | undefined }

/** Hashes a password. Returns `scrypt:<salt>:<key>`, with both parts in hex. */
export async function hashPassword(random: Random, password: string): Promise<string> {
  const salt = random.bytes(SALT_BYTES)
  const key = await derive(password, salt, KEY_BYTES)
  return `scrypt:${salt.toString('hex')}:${key.toString('hex')}`
}

export async function isPassword(credentials: Credentials | undefined, password: string): Promise<boolean> {
  if (credentials?.passwordHash !== undefined) {
    const [, salt = '', key = ''] = credentials.passwordHash.split(':')
    const derived = await derive(password, Buffer.from(salt, 'hex'), KEY_BYTES)
    return sameDigest(derived, Buffer.from(key, 'hex'))
  }
  const matches = sameDigest(Buffer.from(password), Buffer.from(credentials?.password ?? ''))
  return matches && credentials?.password !== undefined
}

/** Compares digests of one length, so that the comparison does not leak the password's length. */
function sameDigest(left: Buffer, right: Buffer): boolean {
  const digest = (value: Buffer) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(left), digest(right))
}
