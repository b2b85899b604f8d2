import { afterEach, expect, test, vi } from 'vitest'
import { type Api, CallError } from '#contract/calls/calls.ts'
import { askResetLink } from './ask-reset-link.ts'
import { signIn } from './sign-in.ts'

const LOGIN = { email: 'anna@example.test', password: 'correct horse battery' }

// The test mocks the captcha solver, which needs a worker. test/e2e/accounts-register.test.ts runs the real solver.
vi.mock(import('./captcha.ts'), () => ({ solveCaptcha: async () => answer }))
let answer: string | null = 'solved'
afterEach(() => {
  answer = 'solved'
})

function serverRefusing(...codes: string[]) {
  const sent: unknown[] = []
  const api = (async (_key: string, input: unknown) => {
    sent.push(input)
    const code = codes.shift()
    if (code !== undefined) throw new CallError({ httpStatus: 422, code, message: 'refused' })
    return { status: true }
  }) as unknown as Api
  return { api, sent }
}

test('S-6: a sign-in that is asked for a riddle solves it and asks once more', async () => {
  const { api, sent } = serverRefusing('CAPTCHA_FAILED')
  await signIn(api, LOGIN)
  expect(sent).toEqual([LOGIN, { ...LOGIN, captcha: 'solved' }])
})

test('a link for a forgotten password that is asked for a riddle is asked for once more, solved', async () => {
  const { api, sent } = serverRefusing('CAPTCHA_FAILED')
  const { email } = LOGIN
  await askResetLink(api, email)
  expect(sent).toEqual([{ email }, { email, captcha: 'solved' }])
})

test('what else is refused, a riddle nobody solved and a second refusal are told', async () => {
  const wrong = serverRefusing('WRONG_CREDENTIALS')
  await expect(signIn(wrong.api, LOGIN)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  expect(wrong.sent).toHaveLength(1)
  const twice = serverRefusing('CAPTCHA_FAILED', 'CAPTCHA_FAILED')
  await expect(signIn(twice.api, LOGIN)).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' })
  expect(twice.sent).toHaveLength(2)
  answer = null
  const unsolved = serverRefusing('CAPTCHA_FAILED')
  await expect(signIn(unsolved.api, LOGIN)).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' })
  expect(unsolved.sent).toHaveLength(1)
})
