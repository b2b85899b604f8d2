import { expect, test } from 'vitest'
import { storeVersion } from '#server/surfaces/site/content/queries.ts'
import { storeContent } from '#server/surfaces/site/content/store-content.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('registering notes which terms and which policy were agreed to; a new version is told once, and closes nothing', async () => {
  await using t = await startTestApp()
  const early = await t.makeUser()
  await storeContent(t.ctx)
  await storeContent(t.ctx)
  const user = await t.makeUser()
  const { consents } = await call(t, 'GET /api/v1/privacy', {}, user)
  expect(consents.map(({ document }) => document)).toEqual(['privacy-policy', 'terms-of-use'])
  for (const { version, at } of consents) {
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2} [\da-f]{12}$/)
    expect(at).toBe(t.clock.now().toISOString())
  }
  const told = async () => (await call(t, 'GET /api/user', {}, user)).documents_changed
  expect(await told()).toBeUndefined()
  await storeVersion(t.ctx.db, {
    document: 'terms-of-use',
    version: 'next',
    digest: Buffer.alloc(32),
    now: t.clock.now(),
  })
  expect(await told()).toBe(true)
  await call(t, 'POST /api/v1/privacy/consent', {}, user)
  await call(t, 'POST /api/v1/privacy/consent', {}, user)
  expect(await told()).toBeUndefined()
  expect((await call(t, 'GET /api/v1/privacy', {}, user)).consents).toHaveLength(3)
  expect((await call(t, 'GET /api/user', {}, early)).documents_changed).toBeUndefined()
})

test('a setting that changes what the policy says makes a version of its own', async () => {
  const versions = await Promise.all(
    ['30', '31'].map(async (MESSAGE_KEEP_DAYS) => {
      await using t = await startTestApp({ environment: { MESSAGE_KEEP_DAYS } })
      await storeContent(t.ctx)
      const { consents } = await call(t, 'GET /api/v1/privacy', {}, await t.makeUser())
      return consents.map(({ version }) => version)
    }),
  )
  expect(versions[0]?.[0]).not.toBe(versions[1]?.[0])
  expect(versions[0]?.[1]).toBe(versions[1]?.[1])
})
