import type { Context } from '#server/house/context.ts'
import { AppError, passkeyFailed } from '#server/house/errors/errors.ts'

const REASON_MAX_LENGTH = 200

/** Logs the WebAuthn library's reason. Returns an error that tells the caller only that the passkey failed. */
export function refusal(ctx: Context, error: unknown): AppError {
  if (error instanceof AppError) return error
  const reason = error instanceof Error ? error.message.slice(0, REASON_MAX_LENGTH) : 'unknown'
  ctx.log.info({ reason }, 'a passkey was refused')
  return passkeyFailed()
}
