import { beforeAll, expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { createTron } from '#server/adapters/tron/tron.ts'
import { readTronAddress, showTronAddress } from '#server/adapters/tron/tron-address.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { storeRate } from '#server/house/rates/queries.ts'
import { OWNER } from '#test/builders/money/chain.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { type Anvil, anvilProgram, startAnvil } from '#test/fakes/chain/anvil.ts'
import { compileTokens } from '#test/fakes/chain/tokens.ts'
import { NILE, openTronNode, type TronNode } from '#test/fakes/chain/tron-node.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { typed } from '#test/harness/typed.ts'
import { followArrivals } from './follow-arrivals.ts'

const USDT = 1_000_000n
const XPUB = OWNER.derive("m/44'/195'/0'").publicExtendedKey
const only = test.skipIf(anvilProgram === undefined)
beforeAll(compileTokens, 2 * MINUTE)

type Shop = { t: TestApp; anvil: Anvil; node: TronNode; user: TestUser; token: string }

function settingsOf(url: string, contract: string): Record<string, unknown> {
  return {
    rpc: [{ url, headers: { 'tron-pro-api-key': 'a key of tests' } }],
    chain_id: NILE,
    network: { en: 'TRON (TRC-20)', ru: 'TRON (TRC-20)' },
    confirmations: 3,
    finality: 'finalized',
    xpub: XPUB,
    assets: [{ symbol: 'USDT', contract, decimals: 6, rate: 'usdt', dust: '1.00' }],
  }
}

async function openShop(stack: AsyncDisposableStack): Promise<Shop> {
  const clock = createTestClock()
  const anvil = stack.use(await startAnvil(clock))
  const token = await anvil.deploy('Denying')
  const node = stack.use(await openTronNode(anvil))
  const t = stack.use(await startTestApp({ clock }))
  const rate = { currency: 'usdt', rubMicros: 90_000_000n, source: 'test', now: clock.now() }
  await transaction(t.ctx.db, (tx) => storeRate(tx, rate))
  await t.addGateway({ code: 'tron', kind: 'tron', settings: settingsOf(node.url, showTronAddress(token)) })
  await followArrivals(t.ctx)
  return { t, anvil, node, token, user: await payer(t) }
}

const hexOf = (address: string | null): string => readTronAddress(address ?? '') ?? ''

async function mineAndLook({ t, anvil }: Shop, blocks: number): Promise<void> {
  await anvil.mine(blocks)
  await followArrivals(t.ctx)
}

only(
  'TRC-20 behind the JSON-RPC of java-tron: a token that returns false, credited once its block is final',
  async () => {
    await using stack = new AsyncDisposableStack()
    const shop = await openShop(stack)
    const { t, anvil, node, user, token } = shop
    const payment = await begin(t, user, '900.00', 'tron-usdt')
    expect(payment).toMatchObject({ amount: '10.00', asset: 'USDT', network: 'TRON (TRC-20)' })
    expect(payment.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
    await anvil.transfer(token, hexOf(payment.address), 10n * USDT)
    await mineAndLook(shop, 10)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({
      state: 'confirming',
      confirmations: { seen: 3, needed: 3 },
    })
    await anvil.ask('anvil_reorg', 10, [])
    await mineAndLook(shop, 1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'pending' })
    await anvil.transfer(token, hexOf(payment.address), 10n * USDT)
    await mineAndLook(shop, 19)
    expect(await balanceOf(t, user)).toBe('0.00')
    await mineAndLook(shop, 1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '900.00' })
    expect(await balanceOf(t, user)).toBe('900.00')
    const { out } = await typed(t.database, 'chain:plan', 'tron', '--json')
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      address: payment.address,
      asset: 'USDT',
      amount: '10.00',
      path: '0/0',
    })
    expect(node.faults).toEqual([])
    await expectRightBooks(t)
  },
)

only(
  'logs that a node forgot are read from receipts; a limiter that answers 200 delays, and loses nothing',
  async () => {
    await using stack = new AsyncDisposableStack()
    const shop = await openShop(stack)
    const { t, anvil, node, user, token } = shop
    const payment = await begin(t, user, '900.00', 'tron-usdt')
    node.hasGap = true
    await anvil.transfer(token, hexOf(payment.address), 10n * USDT)
    node.isBusy = true
    await mineAndLook(shop, 2)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'pending' })
    node.isBusy = false
    t.clock.advance(MINUTE)
    await mineAndLook(shop, 20)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '900.00' })
    expect(node.faults).toEqual([])
    await expectRightBooks(t)
  },
)

test('T-addresses carry a checksum; the coin of TRON is not taken', () => {
  const hex = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'
  expect(showTronAddress(hex)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  expect(readTronAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(hex)
  expect(readTronAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u')).toBeNull()
  expect(readTronAddress(hex)).toBeNull()
  const make = (assets: object[]) => () =>
    createTron(
      // The cast is safe because only the clock is used before somebody pays.
      { clock: createTestClock() } as unknown as Parameters<typeof createTron>[0],
      {
        id: 1,
        code: 'tron',
        kind: 'tron',
        settings: { ...settingsOf('https://node.example', showTronAddress(hex)), assets },
      },
    )
  const coin = { symbol: 'TRX', contract: null, decimals: 6, rate: 'trx', dust: '1.00' }
  expect(make([coin])).toThrow('the coin of this chain is not taken')
  expect(make([{ ...coin, contract: hex }])).toThrow('is no address of this chain')
  expect(make([{ ...coin, contract: showTronAddress(hex) }])).not.toThrow()
})
