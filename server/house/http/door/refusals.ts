import type { ErrorCode } from '#contract/errors.ts'
import { MINUTE, SECOND } from '#contract/time.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { Context } from '#server/house/context.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { createOwnLimit } from '#server/house/limits/rate-limit.ts'
import { perContext } from '#server/house/memory.ts'

export type RefusalKind = 'sign-in' | 'code' | 'bearer' | 'api-key' | 'cookie' | 'right' | 'captcha' | 'host' | 'limit'

type Refusal = { kind: RefusalKind; network: string; userId?: number | undefined; route?: string | undefined }

const MAX_REMEMBERED = 10_000
/** Refusals of one kind and network get one log line within this time. The next line gives their number. */
const LINE_EVERY_MS = MINUTE
/** Each node has its own log. */
const takeLine = createOwnLimit({ name: 'lines about refusals', burst: 60, refillMs: SECOND })

type Sampled = { unloggedSince: number; loggedAtMs: number }
const sampledOf = perContext(
  'refusals in the log',
  { scope: 'process', nodes: 'own', lost: 'how many refusals the next line stands for' },
  () => boundedCache<string, Sampled>(MAX_REMEMBERED),
)

/** Logs a sample of refused requests with their kind and network, but never with the credential. */
export function noteRefusal(ctx: Context, refusal: Refusal): void {
  ctx.metrics.refusals.inc({ kind: refusal.kind })
  const sampled = sampledOf(ctx)
  const key = `${refusal.kind} ${refusal.network}`
  const now = ctx.clock.now()
  const before = sampled.get(key)
  const isSilent = before !== undefined && now.getTime() - before.loggedAtMs < LINE_EVERY_MS
  if (isSilent || !takeLine(ctx, 'all').isTaken) {
    const unloggedSince = (before?.unloggedSince ?? 0) + 1
    sampled.set(key, { unloggedSince, loggedAtMs: before?.loggedAtMs ?? 0 })
    return
  }
  sampled.set(key, { unloggedSince: 0, loggedAtMs: now.getTime() })
  ctx.log.info({ ...refusal, unlogged: before?.unloggedSince ?? 0 }, 'refused')
}

export function aboutUser(error: AppError, userId: number | undefined): AppError {
  if (userId !== undefined && !subjects.has(error)) subjects.set(error, userId)
  return error
}

const subjects = new WeakMap<AppError, number>()

/** Refusals that are logged by error code. credentials.ts logs refused API keys and tokens itself. */
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

export function noteRefusedCall(
  ctx: Context,
  error: AppError,
  from: { network: string; route: string | undefined },
): void {
  const kind = KINDS[error.code]
  if (kind !== undefined) noteRefusal(ctx, { kind, ...from, userId: subjects.get(error) })
}
