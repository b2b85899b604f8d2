import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { captchaSecrets } from './captcha-secrets.ts'

const RIDDLE_LIFETIME_MS = 5 * MINUTE
/** A desktop solves a captcha of this cost in 250 ms and a phone in 1 s. The server checks the solution in 0.3 ms. */
const COST = 1_000
const MIN_TRIES = 300
const MAX_TRIES = 900

export async function makeCaptcha(ctx: Context): Promise<Record<string, unknown>> {
  const [secrets] = captchaSecrets(ctx)
  const { parameters, signature } = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: MIN_TRIES + ctx.random.below(MAX_TRIES - MIN_TRIES),
    deriveKey,
    // The altcha library's own expiry follows the machine's clock; `expiresAtMs` follows the context's clock.
    data: { expiresAtMs: ctx.clock.now().getTime() + RIDDLE_LIFETIME_MS },
    ...secrets,
  })
  return { parameters, signature }
}
