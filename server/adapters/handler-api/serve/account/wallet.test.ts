import { expect, test } from 'vitest'
import { beginWatch } from '#server/adapters/shared/chain/queries/watches.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { OWNER } from '#test/builders/money/chain.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('GrizzlySMS’s wallet: one address for ever, of who asks, by a key of money, where a chain is watched', async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.makeUser(), await t.makeUser()]
  const [key, otherKey] = [await t.makeApiKey(one), await t.makeApiKey(other)]
  const ask = async (query: string) => {
    const reply = await t.fetch(`/public/crypto/wallet?${query}`)
    return { status: reply.status, body: await reply.json() }
  }
  const refused = (status: number, title: string) => ({ status, body: { title, details: title } })
  const usdt = 'coin=usdt&network=tron'
  expect(await ask(`${usdt}&api_key=${key}`)).toEqual(refused(404, 'NOT_AVAILABLE'))
  const gatewayId = await t.addGateway({
    code: 'tron',
    kind: 'tron',
    settings: {
      rpc: ['http://127.0.0.1:9'],
      chain_id: 1,
      network: { en: 'TRON', ru: 'TRON' },
      confirmations: 3,
      xpub: OWNER.derive("m/44'/195'/0'").publicExtendedKey,
      assets: [
        { symbol: 'USDT', contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6, rate: 'usdt', dust: '1.00' },
      ],
    },
  })
  expect(await ask(`${usdt}&api_key=${key}`)).toEqual(refused(404, 'NOT_AVAILABLE'))
  await transaction(t.ctx.db, (tx) => beginWatch(tx, { gatewayId, height: 1n, at: t.clock.now() }))
  const { status, body } = await ask(`${usdt}&api_key=${key}`)
  expect([status, body]).toEqual([200, { wallet_address: expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/) }])
  for (const query of [usdt, 'coin=USDT&network=trc20', 'undefined=1', 'coin=undefined&network=null']) {
    expect(await ask(`${query}&api_key=${key}`)).toEqual({ status, body })
  }
  expect((await ask(`${usdt}&api_key=${otherKey}`)).body).not.toEqual(body)
  expect(await ask(`coin=doge&network=tron&api_key=${key}`)).toEqual(refused(404, 'NOT_AVAILABLE'))
  expect(await ask(`coin=usdt&network=bsc&api_key=${key}`)).toEqual(refused(404, 'NOT_AVAILABLE'))
  expect(await ask(usdt)).toEqual(refused(401, 'MISSING_API_KEY'))
  expect(await ask(`${usdt}&api_key=${'x'.repeat(32)}`)).toEqual(refused(401, 'BAD_API_KEY'))
  const { secret } = await call(t, 'POST /api/v1/keys', { name: 'Reader', scopes: ['read', 'buy'] }, one)
  expect(await ask(`${usdt}&api_key=${secret}`)).toEqual(refused(401, 'BAD_API_KEY'))
  await flushKeyCalls(t.ctx)
  const { data: keys } = await call(t, 'GET /api/v1/keys', {}, one)
  const noted = await Promise.all(keys.map(({ id }) => call(t, 'GET /api/v1/keys/{id}/calls', { id }, one)))
  expect(noted.map(({ data }) => data.map((line) => `${line.call} ${line.result} ${line.count}`).sort())).toEqual([
    ['/public/crypto/wallet BAD_API_KEY 1'],
    ['/public/crypto/wallet NOT_AVAILABLE 4', '/public/crypto/wallet OK 5'],
  ])
})
