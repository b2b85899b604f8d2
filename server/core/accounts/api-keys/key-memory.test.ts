import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness/harness.ts'
import { hashApiKey } from './api-key.ts'
import { cacheKeyOf, forgetLookUps, type KnownKey, knownKey, rememberedKey } from './key-memory.ts'

test('calls at once look a key up once for each network, and after a change anew', async () => {
  await using t = await startTestApp()
  const hash = hashApiKey('a'.repeat(32))
  const asked: PromiseWithResolvers<KnownKey | null>[] = []
  const ask = (network: string) =>
    rememberedKey(t.ctx, {
      hash,
      network,
      lookUp: () => {
        const asking = Promise.withResolvers<KnownKey | null>()
        asked.push(asking)
        return asking.promise
      },
    })
  const found = (userId: number): KnownKey => ({
    addresses: [],
    previousUntil: null,
    member: { userId, currency: 'rub', role: 'user', sessionId: null, key: null },
  })
  const before = [ask('203.0.113.1'), ask('203.0.113.1'), ask('203.0.113.2')]
  expect(asked).toHaveLength(2)
  forgetLookUps(t.ctx, [hash])
  const after = [ask('203.0.113.1'), ask('203.0.113.1')]
  expect(asked).toHaveLength(3)
  asked[0]?.resolve(found(1))
  asked[1]?.reject(new Error('too many tries from there'))
  const told = await Promise.allSettled(before)
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(knownKey(t.ctx, cacheKeyOf(hash))).toBeUndefined()
  after.push(ask('203.0.113.1'))
  expect(asked).toHaveLength(3)
  asked[2]?.resolve(found(2))
  expect((await Promise.all(after)).map((known) => known?.member.userId)).toEqual([2, 2, 2])
  expect(knownKey(t.ctx, cacheKeyOf(hash))?.member.userId).toBe(2)
})
