import { hash, verify } from '@node-rs/argon2'
import type { Context } from '#server/context.ts'
import type { Asker } from '#server/http/door/fair-queue.ts'
import { inHashTurn } from './hash-turns.ts'

/** One letter may be typed as one character or as two: both are the same password. */
const sameLetters = (password: string) => password.normalize('NFC')

/** The hash itself, without a turn: for what no visitor asks for. `salt`: of hashes that are to be found again. */
export async function makeHash(
  { passwordCost }: Pick<Context, 'passwordCost'>,
  password: string,
  salt?: Uint8Array,
): Promise<string> {
  return hash(sameLetters(password), salt === undefined ? passwordCost : { ...passwordCost, salt })
}

/** Hashes a password in the turn of whoever asks. Throws TOO_MANY_REQUESTS when too many wait. */
export async function hashPassword(ctx: Context, asker: Asker, password: string, salt?: Uint8Array): Promise<string> {
  return inHashTurn(ctx, asker, () => makeHash(ctx, password, salt))
}

/**
 * With no stored hash it hashes all the same, so that an unknown e-mail takes as long as a wrong password. Throws
 * TOO_MANY_REQUESTS when too many wait.
 */
export async function isPassword(
  ctx: Context,
  asker: Asker,
  password: string,
  stored: string | null,
): Promise<boolean> {
  return inHashTurn(ctx, asker, async () => {
    if (stored !== null) return verify(stored, sameLetters(password))
    await makeHash(ctx, password)
    return false
  })
}
