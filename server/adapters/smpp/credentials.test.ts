import { expect, test } from 'vitest'
import { systemRandom } from '#server/house/clock.ts'
import { hashPassword, isPassword } from './credentials.ts'

test('only the right password opens, plain or hashed', async () => {
  const passwordHash = await hashPassword(systemRandom, 's3cret')
  expect(passwordHash).not.toContain('s3cret')
  for (const credentials of [{ password: 's3cret' }, { passwordHash }]) {
    expect(await isPassword(credentials, 's3cret')).toBe(true)
    for (const wrong of ['', 's3cre', 's3cret ', 'S3CRET']) expect(await isPassword(credentials, wrong)).toBe(false)
  }
})

test('nothing opens for a peer that does not exist, or with a broken hash', async () => {
  expect(await isPassword(undefined, '')).toBe(false)
  expect(await isPassword({ passwordHash: 'scrypt:' }, '')).toBe(false)
  expect(await isPassword({ passwordHash: 'scrypt:00:' }, '')).toBe(false)
})
