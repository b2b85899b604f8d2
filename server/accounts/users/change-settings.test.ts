import { expect, test } from 'vitest'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const CHANGE = 'PATCH /api/v1/user/settings'

test('settings change one by one, for the person alone', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const settingsOf = async ({ token }: { token: string }) => (await call(t, 'GET /api/user', {}, { token })).settings
  const before = { copying_code: true, confirmation_actions: false, sound_new_sms: true }
  expect(await call(t, CHANGE, { sound_new_sms: false }, { token: user.token })).toEqual({ status: true })
  await call(t, CHANGE, { confirmation_actions: true }, { token: user.token })
  await call(t, CHANGE, {}, { token: user.token })
  expect(await settingsOf(user)).toEqual({ copying_code: true, confirmation_actions: true, sound_new_sms: false })
  expect(await settingsOf(other)).toEqual(before)
})

test('two settings changed at once are both kept', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  await Promise.all([
    call(t, CHANGE, { copying_code: false }, { token }),
    call(t, CHANGE, { confirmation_actions: true }, { token }),
  ])
  const { settings } = await call(t, 'GET /api/user', {}, { token })
  expect(settings).toEqual({ copying_code: false, confirmation_actions: true, sound_new_sms: true })
})

test('a setting is on or off, and only a person who is signed in has any', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const refusal = await refused(t, CHANGE, { copying_code: 'yes', sound_new_sms: null }, { token })
  expect([refusal.status, Object.keys(refusal.body.errors ?? {})]).toEqual([422, ['copying_code', 'sound_new_sms']])
  expect((await refused(t, CHANGE, { copying_code: true })).status).toBe(401)
})
