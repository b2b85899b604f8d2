import type { Context } from '#server/house/context.ts'
import { AppError, passkeyFailed } from '#server/house/errors/errors.ts'

const REASON_MAX_LENGTH = 200

/**
 * Maps an error of the WebAuthn library to PASSKEY_FAILED. The reason is logged, and the caller learns only that it
 * failed.
 */
export function refusal(ctx: Context, error: unknown): AppError {
  if (error instanceof AppError) return error
  const reason = error instanceof Error ? error.message.slice(0, REASON_MAX_LENGTH) : 'unknown'
  ctx.log.info({ reason }, 'a passkey was refused')
  return passkeyFailed()
}
