/** Returns the loggable part of an error. The log must never get the error's cause, which holds codes and tokens. */
export function failureOf(error: unknown): { reason: string; code?: string; answered?: string } {
  if (!(error instanceof Error)) return { reason: 'unknown' }
  const { code, error: answered } = error as Error & { code?: unknown; error?: unknown }
  return {
    reason: error.message.slice(0, REASON_MAX_LENGTH),
    ...(typeof code === 'string' && { code }),
    ...(typeof answered === 'string' && ERROR_WORD.test(answered) && { answered }),
  }
}

const REASON_MAX_LENGTH = 300
export const ERROR_WORD = /^[a-z_]{1,40}$/
