import { hash, verify } from '@node-rs/argon2'
import type { Context } from '#server/house/context.ts'
import type { Asker } from '#server/house/limits/fair-queue.ts'
import { passwordHashingQueue } from './password-hashing-queue.ts'

/** Passwords are normalised to NFC, because one letter may be typed as one code point or as two. */
const sameLetters = (password: string) => password.normalize('NFC')

/**
 * Hashes a password at once, outside the queue of visitors' hashes. `salt` is set if the hash must be found by value.
 */
export async function makeHash(
  { config: { passwordCost } }: Pick<Context, 'config'>,
  password: string,
  salt?: Uint8Array,
): Promise<string> {
  return hash(sameLetters(password), salt === undefined ? passwordCost : { ...passwordCost, salt })
}

export async function hashPassword(ctx: Context, asker: Asker, password: string, salt?: Uint8Array): Promise<string> {
  return passwordHashingQueue.run(ctx, asker, () => makeHash(ctx, password, salt))
}

/** Checks a password. It also hashes without a stored hash, so that an unknown e-mail takes equally long. */
export async function isPassword(
  ctx: Context,
  asker: Asker,
  password: string,
  stored: string | null,
): Promise<boolean> {
  return passwordHashingQueue.run(ctx, asker, async () => {
    if (stored !== null) return verify(stored, sameLetters(password))
    await makeHash(ctx, password)
    return false
  })
}
