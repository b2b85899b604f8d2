import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { checkCaptcha } from './check-captcha.ts'

const ON = { config: { captchaEnabled: '2' } }
const FAILED = { code: 'CAPTCHA_FAILED', httpStatus: 422 }

const encode = (answer: object) => Buffer.from(JSON.stringify(answer)).toString('base64')

async function solve(t: TestApp) {
  const challenge = (await call(t, 'GET /api/v1/captcha', {})) as unknown as Challenge & { signature: string }
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('the riddle has no answer')
  return { challenge, solution }
}

test('an answer is taken once, also when it comes four times at once', async () => {
  await using t = await startTestApp(ON)
  const answer = encode(await solve(t))
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => checkCaptcha(t.ctx, answer)))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  await expect(checkCaptcha(t.ctx, answer)).rejects.toMatchObject(FAILED)
})

test('the same answer in another dress is the same answer', async () => {
  await using t = await startTestApp(ON)
  const { challenge, solution } = await solve(t)
  await checkCaptcha(t.ctx, encode({ challenge, solution }))
  const dressed = { challenge, solution: { ...solution, counter: solution.counter + 1, time: 7 }, more: 1 }
  await expect(checkCaptcha(t.ctx, encode(dressed))).rejects.toMatchObject(FAILED)
})

test('a riddle is good for five minutes, and then forgotten', async () => {
  await using t = await startTestApp(ON)
  const [early, late] = [encode(await solve(t)), encode(await solve(t))]
  t.clock.advance(5 * MINUTE - 1)
  await checkCaptcha(t.ctx, early)
  t.clock.advance(1)
  await expect(checkCaptcha(t.ctx, late)).rejects.toMatchObject(FAILED)
  expect(await count(t.ctx, 'spent_captchas')).toBe(1)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'spent_captchas')).toBe(0)
})

test('nothing forged is taken: no easier riddle, no later end, no foreign signature, no guessed key', async () => {
  await using t = await startTestApp(ON)
  const { challenge, solution } = await solve(t)
  const { parameters, signature } = challenge
  const otherwise = (changed: object) => ({
    challenge: { parameters: { ...parameters, ...changed }, signature },
    solution,
  })
  const { keySignature, ...unsigned } = parameters
  const forged: object[] = [
    otherwise({ cost: 1 }),
    otherwise({ keyPrefix: '0'.repeat(32) }),
    otherwise({ data: { expiresAtMs: Number.MAX_SAFE_INTEGER } }),
    otherwise({ nonce: '0'.repeat(32) }),
    otherwise({ keySignature: '0'.repeat(64) }),
    { challenge: { parameters: unsigned, signature }, solution },
    { challenge: { parameters }, solution },
    { challenge: { parameters, signature: '0'.repeat(64) }, solution },
    { challenge, solution: { ...solution, derivedKey: '0'.repeat(64) } },
    { challenge, solution: { ...solution, derivedKey: `${parameters.keyPrefix}${'0'.repeat(32)}` } },
    { challenge },
    { solution },
    {},
  ]
  expect(keySignature).toMatch(/^[0-9a-f]{64}$/)
  for (const answer of forged) {
    await expect(checkCaptcha(t.ctx, encode(answer)), JSON.stringify(answer)).rejects.toMatchObject(FAILED)
  }
  for (const nonsense of [undefined, '', 'x', '{}', encode([]), Buffer.from('null').toString('base64'), '\ud800']) {
    await expect(checkCaptcha(t.ctx, nonsense), String(nonsense)).rejects.toMatchObject(FAILED)
  }
  await checkCaptcha(t.ctx, encode({ challenge, solution }))
})

test('riddles of a key that was replaced are good until they expire, those of a stranger’s key never', async () => {
  await using t = await startTestApp(ON)
  const [one, two] = [encode(await solve(t)), encode(await solve(t))]
  const former = t.ctx.secrets.secretKey
  t.ctx.secrets.secretKey = 'another secret of tests, long enough too'
  await expect(checkCaptcha(t.ctx, one)).rejects.toMatchObject(FAILED)
  t.ctx.secrets.previousSecretKeys = [former]
  await checkCaptcha(t.ctx, two)
})

test.each(['0', '1', '', 'on'])('with CAPTCHA_ENABLED=%s nothing is asked', async (captchaEnabled) => {
  await using t = await startTestApp({ config: { captchaEnabled } })
  await expect(checkCaptcha(t.ctx, undefined)).resolves.toBeUndefined()
})
