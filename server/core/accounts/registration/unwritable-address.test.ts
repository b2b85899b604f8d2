import { expect, test } from 'vitest'
import { form, mailsTo } from '#test/builders/registration.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const REGISTER = 'POST /api/register'

// Finding B7: the mail server refused the registration mail for good, so the person waited forever for a code.
test.each([
  'имя@пример.рф',
  'müller@münchen.example',
  'user..dots@example.test',
  '.lead@example.test',
  'trail.@example.test',
  'user@example.test.',
  'user@-bad.example',
  'user@sub_domain.example',
  `${'a'.repeat(65)}@example.test`,
])('no letter reaches %s, which registration and a change of the address say at once', async (email) => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const said = {
    email: [
      'We can’t send e-mail to this address. Before the @, use only Latin letters, digits, and dots between them.',
    ],
  }
  const locale = 'en'
  expect((await refused(t, REGISTER, form(email), { locale })).body.errors).toEqual(said)
  const change = { email, password: user.password }
  const { body } = await refused(t, 'POST /api/v1/user/email', change, { token: user.token, locale })
  expect(body.errors).toEqual(said)
})

test('B7: a host in another alphabet is one that letters reach', async () => {
  await using t = await startTestApp()
  for (const email of ['user2@пример.рф', "o'neil+codes@sub-domain.example.test"]) {
    expect(await call(t, REGISTER, form(email))).toMatchObject({ status: true })
    expect(await mailsTo(t, email)).toHaveLength(1)
  }
})
