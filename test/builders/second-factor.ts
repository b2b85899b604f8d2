import { generate } from 'otplib'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

export type SecondFactor = { secret: string; recoveryCodes: string[] }

/** Returns the six digits that an authenticator app shows now, or `steps` steps of 30 s from now. */
export function codeNow(t: TestApp, secret: string, steps = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(t.clock.now().getTime() / 1000) + steps * 30 })
}

/** Turns two-factor authentication on, and moves the clock on so that the next code is unused. */
export async function turnOnTwoFactor(t: TestApp, user: TestUser): Promise<SecondFactor> {
  const { secret } = await call(t, 'POST /api/v1/user/two-factor', {}, user)
  const code = await codeNow(t, secret)
  const { recovery_codes } = await call(t, 'POST /api/v1/user/two-factor/confirm', { code }, user)
  t.clock.advance(30_000)
  return { secret, recoveryCodes: recovery_codes }
}
