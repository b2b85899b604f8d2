import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { form } from '#test/builders/registration.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'

const LEAKED = Array.from({ length: 500 }, (_each, at) => `leaked passphrase ${at}`)

function lines(ending: string): string {
  const hash = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
  const sorted = LEAKED.map(hash).sort()
  return sorted.map((each, at) => `${each}:${at * 37}`).join(ending)
}

// ASVS 6.2.12 requires a check against leaked passwords.
test.each(['\n', '\r\n'])(
  'no password of the operator’s list is taken, whatever its lines end with: %j',
  async (ending) => {
    await using folder = await temporaryFolder()
    const path = folder.path('breached.txt')
    await writeFile(path, lines(ending))
    await using t = await startTestApp({ environment: { BREACHED_PASSWORDS_FILE: path } })
    const user = await t.makeUser()
    const fresh = (password: string) => ({ password, password_confirmation: password })
    for (const password of LEAKED) {
      const input = { ...fresh(password), email: user.email, token: 'x' }
      const { status, body } = await refused(t, 'POST /api/reset-password', input)
      expect([password, status, body.errors?.password]).toEqual([
        password,
        422,
        ['Этот пароль есть в базах утечек, его легко подобрать. Придумайте другой'],
      ])
    }
    expect((await refused(t, 'POST /api/register', form('a@example.test', fresh('leaked passphrase 7')))).status).toBe(
      422,
    )
    await call(t, 'POST /api/register', form('a@example.test', fresh('leaked passphrase 500')))
  },
)

test('a file that is none is told of at start', async () => {
  await using folder = await temporaryFolder()
  const path = folder.path('words.txt')
  await writeFile(path, 'password\n123456\n')
  for (const file of [path, folder.path('nothing.txt')]) {
    expect(() => readConfig({ DEMO: '1', BREACHED_PASSWORDS_FILE: file })).toThrow('BREACHED_PASSWORDS_FILE must be')
  }
})
