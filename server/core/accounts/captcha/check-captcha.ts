import { verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { CAPTCHA_ON } from '#contract/constants.ts'
import type { Context } from '#server/house/context.ts'
import { captchaFailed } from '#server/house/errors/errors.ts'
import { captchaSecrets } from './captcha-secrets.ts'
import { spendCaptcha } from './queries.ts'

const HEX_32_BYTES = z.string().regex(/^[0-9a-f]{64}$/)
const HEX_16_BYTES = z.string().regex(/^[0-9a-f]{32}$/)

/** The schema of a captcha answer is strict, because the signature covers exactly these fields. */
const answerSchema = z.object({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.string().max(20),
      nonce: HEX_16_BYTES,
      salt: HEX_16_BYTES,
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: HEX_16_BYTES,
      keySignature: HEX_32_BYTES,
      data: z.strictObject({ expiresAtMs: z.number() }),
    }),
    signature: HEX_32_BYTES,
  }),
  solution: z.object({ counter: z.number(), derivedKey: HEX_32_BYTES }),
})

/** Checks the answer to a captcha, if captchas are turned on. Each answer is valid once. Throws CAPTCHA_FAILED. */
export async function checkCaptcha(ctx: Context, response: string | undefined): Promise<void> {
  if (ctx.config.captchaEnabled !== CAPTCHA_ON) return
  const answer = readAnswer(response)
  if (answer === null || !(await isSolved(ctx, answer))) throw captchaFailed()
  const expiresAt = new Date(answer.challenge.parameters.data.expiresAtMs)
  if (expiresAt <= ctx.clock.now()) throw captchaFailed()
  const signature = Buffer.from(answer.challenge.signature, 'hex')
  if (!(await spendCaptcha(ctx.db, { signature, expiresAt }))) throw captchaFailed()
}

type Answer = z.output<typeof answerSchema>

function readAnswer(response: string | undefined): Answer | null {
  if (response === undefined) return null
  try {
    return answerSchema.safeParse(JSON.parse(Buffer.from(response, 'base64').toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

async function isSolved(ctx: Context, { challenge, solution }: Answer): Promise<boolean> {
  for (const secrets of captchaSecrets(ctx)) {
    const result = await verifySolution({ challenge, solution, deriveKey, ...secrets })
    if (result.verified) return true
  }
  return false
}
