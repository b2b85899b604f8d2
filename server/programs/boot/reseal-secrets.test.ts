import { expect, test } from 'vitest'
import { pushKeysOf } from '#server/core/notifications/push/push-keys.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import { Memory } from '#server/house/memory.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { openPlatformHouse } from '#test/fakes/sim-bank/platform-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { hook } from '#test/services/webhook-service.ts'
import { resealSecrets } from './reseal-secrets.ts'

const FRESH = 'another secret of tests, long enough too'

test('one start with SECRET_KEY_PREVIOUS is enough: nothing that is kept needs the earlier key after it', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const agent = await t.makeUser({ balance: '1000' })
  await t.makeApiKey(agent)
  await using house = await openPlatformHouse(t, { agent })
  await turnOnTwoFactor(t, agent)
  await pushKeysOf(t.ctx)
  await hook(t, agent, { url: 'https://shop.example/codes' })
  const { secretKey: former } = t.ctx.secrets
  const sealed = async () => {
    const { rows } = await t.ctx.db.query<{ sealed: Record<string, unknown> }>({
      text: `SELECT settings AS sealed FROM outlets UNION ALL SELECT secret FROM two_factor UNION ALL SELECT private_key FROM push_keys
        UNION ALL SELECT secret FROM webhook_endpoints`,
    })
    return rows.map((row) => row.sealed)
  }
  Object.assign(t.ctx.secrets, { secretKey: FRESH, previousSecretKeys: [former] })
  for (const one of await sealed()) expect(() => unseal(one, [FRESH])).toThrow('SECRET_KEY')
  await resealSecrets({ ...t.ctx, memory: new Memory() })
  const after = await sealed()
  expect(after).toHaveLength(4)
  for (const one of after) expect(unseal(one, [FRESH]).outdated).toBe(false)
  t.ctx.secrets.previousSecretKeys = []
  expect(await house.ask('GET_SERVICES')).toMatchObject({ status: 'SUCCESS' })
})
