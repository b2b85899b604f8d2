import type { ErrorCode } from '#contract/errors.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { type BoundedCache, boundedCache } from '#server/bounded-cache.ts'
import type { Context } from '#server/context.ts'
import type { AppError } from '#server/errors.ts'
import { createRateLimit } from './rate-limit.ts'

/**
 * What somebody was refused: a password or social sign-in, a second factor or mailed code, a bearer token, an API key, a
 * cookie's token, a right, a captcha, a foreign host, or one request more than a limit allows.
 */
export type RefusalKind = 'sign-in' | 'code' | 'bearer' | 'api-key' | 'cookie' | 'right' | 'captcha' | 'host' | 'limit'

type Refusal = { kind: RefusalKind; network: string; userId?: number | undefined; route?: string | undefined }

const MAX_REMEMBERED = 10_000
/** One line for each kind and network within this time; its successor says how many it stands for. */
const LINE_EVERY_MS = MINUTE
/** However many networks there are. */
const lines = createRateLimit({ burst: 60, refillMs: SECOND })

type Sampled = { unloggedSince: number; loggedAtMs: number }
const perContext = new WeakMap<Context, BoundedCache<string, Sampled>>()

/** Counts a refusal, and logs a sample: who and from where, never what was shown. */
export function noteRefusal(ctx: Context, refusal: Refusal): void {
  ctx.metrics.refusals.inc({ kind: refusal.kind })
  const sampled = perContext.get(ctx) ?? boundedCache<string, Sampled>(MAX_REMEMBERED)
  perContext.set(ctx, sampled)
  const key = `${refusal.kind} ${refusal.network}`
  const now = ctx.clock.now()
  const before = sampled.get(key)
  const isSilent = before !== undefined && now.getTime() - before.loggedAtMs < LINE_EVERY_MS
  if (isSilent || lines.take(ctx, 'all', now) > 0) {
    const unloggedSince = (before?.unloggedSince ?? 0) + 1
    sampled.set(key, { unloggedSince, loggedAtMs: before?.loggedAtMs ?? 0 })
    return
  }
  sampled.set(key, { unloggedSince: 0, loggedAtMs: now.getTime() })
  ctx.log.info({ ...refusal, unlogged: before?.unloggedSince ?? 0 }, 'refused')
}

/** The error, which says from now on whose account it was about: for the log alone. */
export function aboutUser(error: AppError, userId: number | undefined): AppError {
  if (userId !== undefined && !subjects.has(error)) subjects.set(error, userId)
  return error
}

const subjects = new WeakMap<AppError, number>()

/** By what a failed call was told. Refused credentials are noted where they are looked up. */
const KINDS: Partial<Record<ErrorCode, RefusalKind>> = {
  WRONG_CREDENTIALS: 'sign-in',
  AUTH_FAILED: 'sign-in',
  BLOCKED: 'sign-in',
  WRONG_PASSWORD: 'sign-in',
  WRONG_CODE: 'code',
  FORBIDDEN: 'right',
  CAPTCHA_FAILED: 'captcha',
  TOO_MANY_REQUESTS: 'limit',
}

/** Notes what a call was refused for, if it is one of the kinds. */
export function noteRefusedCall(
  ctx: Context,
  error: AppError,
  from: { network: string; route: string | undefined },
): void {
  const kind = KINDS[error.code]
  if (kind !== undefined) noteRefusal(ctx, { kind, ...from, userId: subjects.get(error) })
}
