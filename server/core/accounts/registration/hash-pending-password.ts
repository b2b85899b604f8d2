import { createHmac } from 'node:crypto'
import { hashPassword } from '#server/core/accounts/users/password.ts'
import type { Context } from '#server/house/context.ts'
import type { Asker } from '#server/house/limits/fair-queue.ts'

const SALT_BYTES = 16

/** Hashes a registration's password with a salt from its e-mail and SECRET_KEY, so that the hash finds its row. */
export async function hashPendingPassword(
  ctx: Context,
  asker: Asker,
  input: { email: string; password: string },
): Promise<string> {
  const digest = createHmac('sha256', ctx.secrets.secretKey).update(`registration salt ${input.email}`).digest()
  return hashPassword(ctx, asker, input.password, digest.subarray(0, SALT_BYTES))
}
