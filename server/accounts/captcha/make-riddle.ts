import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { MINUTE } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { captchaSecrets } from './captcha-secrets.ts'

const RIDDLE_LIFETIME_MS = 5 * MINUTE
/** Rounds of one try, and how many tries it takes: a quarter of a second of a desktop, a second of a phone; a third of a ms of ours. */
const COST = 1_000
const MIN_TRIES = 300
const MAX_TRIES = 900

/** A proof-of-work riddle in the form that the altcha widget reads; we keep nothing of it until its answer comes. */
export async function makeRiddle(ctx: Context): Promise<Record<string, unknown>> {
  const [secrets] = captchaSecrets(ctx)
  const { parameters, signature } = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: MIN_TRIES + ctx.random.below(MAX_TRIES - MIN_TRIES),
    deriveKey,
    // Our own field, because the library measures its own by the machine's clock.
    data: { expiresAtMs: ctx.clock.now().getTime() + RIDDLE_LIFETIME_MS },
    ...secrets,
  })
  return { parameters, signature }
}
