import { expect, test } from 'vitest'
import { BTCPAY_SETTINGS } from '#test/builders/money/btcpay.ts'
import { settingsOf } from '#test/builders/money/chain.ts'
import { HELEKET_SETTINGS } from '#test/builders/money/heleket.ts'
import { STRIPE_KEY, STRIPE_SECRET } from '#test/fakes/stripe-house.ts'
import { YOOKASSA_KEY, YOOKASSA_SHOP } from '#test/fakes/yookassa/yookassa-house.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const chainOf = (url: string) =>
  settingsOf({ nodes: [url], usdt: `0x${'11'.repeat(20)}`, usdc: `0x${'22'.repeat(20)}` })

const SETTINGS: Readonly<Record<string, (url: string) => object>> = {
  btcpay: (url) => ({ ...BTCPAY_SETTINGS, url }),
  heleket: (api_url) => ({ ...HELEKET_SETTINGS, api_url }),
  stripe: (api_url) => ({ secret_key: STRIPE_KEY, webhook_secrets: [STRIPE_SECRET], api_url }),
  yookassa: (api_url) => ({ shop_id: YOOKASSA_SHOP, secret_key: YOOKASSA_KEY, api_url }),
  evm: chainOf,
}

test('no address of a gateway holds a name or a password, or leads elsewhere without TLS; the fault repeats neither', async () => {
  await using t = await startTestApp()
  for (const [kind, settings] of Object.entries(SETTINGS)) {
    const add = (url: string) =>
      typed(t.database, 'gateway:add', kind, '--code', kind, '--settings', JSON.stringify(settings(url)), ...WHY)
    for (const [url, fault] of [
      ['https://anna:hunter2@vendor.example/api', 'holds a name or a password'],
      ['https://hunter2@vendor.example/api', 'holds a name or a password'],
      ['http://vendor.example/hunter2', 'without TLS on this machine alone'],
    ] as const) {
      const said = await add(url)
      expect(said, `${kind} ${url}`).toMatchObject({ code: 1, err: expect.stringContaining(fault) })
      expect(said.err).not.toContain('hunter2')
    }
    expect(await add('https://vendor.example/api'), kind).toMatchObject({ code: 0 })
  }
})
