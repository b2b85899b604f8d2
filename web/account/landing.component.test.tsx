import { expect, test } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { handleLandingAddress } from './landing.ts'

const CALLBACK = 'GET /api/auth/{service}/callback'
const boris = { ...anna, id: 2, email: 'boris@ringpost.test' }

async function comeBack(answers: Answers) {
  const told: unknown[] = []
  const { app, sent } = await show(null, {
    session: MEMBER,
    answers: { 'POST /api/logout': { status: true }, ...answers },
  })
  const tools = { app, navigate: () => Promise.resolve(), fail: (error: unknown) => told.push(error) }
  await handleLandingAddress(tools, { pathname: '/auth/google/callback', search: '?code=x&state=y', hash: '' })
  const made = sent.map(({ key }) => key).filter((key) => key === CALLBACK || key === 'POST /api/logout')
  return { app, made, told, status: app.session.get().status }
}

test('SP-8: an answer whose state is not of this browser signs nobody out', async () => {
  const refused = refusal(422, 'AUTH_FAILED')
  const { app, made, told, status } = await comeBack({ [CALLBACK]: () => Promise.reject(refused) })
  expect([made, told, status]).toEqual([[CALLBACK], [refused], 'authenticated'])
  expect(app.queryClient.getQueryData(['user'])).toEqual(anna)
})

test('SP-8, checklist 4.9: an answer of this browser replaces who is signed in', async () => {
  const { app, made, told, status } = await comeBack({ [CALLBACK]: { status: true, token: 'second', user: boris } })
  expect([made, told, status]).toEqual([[CALLBACK], [], 'authenticated'])
  expect(app.queryClient.getQueryData(['user'])).toEqual(boris)
})

test('SP-8, checklist 4.9: with a second factor the former user is signed out before the code is asked for', async () => {
  const data = { action: 'need-2fa-code', pending_token: 'pending', passkey: false }
  const needed = refusal(422, 'NEED_2FA_CODE', { data })
  const { app, made, told, status } = await comeBack({ [CALLBACK]: () => Promise.reject(needed) })
  expect([made, told, status]).toEqual([[CALLBACK, 'POST /api/logout'], [], 'unauthenticated'])
  expect(app.dialogs.state.get().flags.faCode).toMatchObject({ firstFactor: { pending_token: 'pending' } })
})
