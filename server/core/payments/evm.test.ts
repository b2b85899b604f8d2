import { toFunctionSelector } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { sentMails } from '#test/builders/mails.ts'
import { asked, CONFIRMATIONS, openShop, type Shop } from '#test/builders/money/chain.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { anvilProgram } from '#test/fakes/chain/anvil.ts'
import { compileTokens } from '#test/fakes/chain/tokens.ts'
import { call, refused } from '#test/harness/calls.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

const USDT = 1_000_000n
const ETHER = 10n ** 18n
const TWICE = selectorOf('twice(address,uint256)')
const PAY = selectorOf('pay(address,uint256)')

function selectorOf(signature: string): string {
  return toFunctionSelector(signature).slice(2)
}

const only = test.skipIf(anvilProgram === undefined)
beforeAll(compileTokens, 2 * MINUTE)

only(
  'a token that returns nothing: an address of one’s own, confirmations live, credited once at the depth of the settings',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    const wallet = hdKeyToAccount(HDKey.fromMasterSeed(Buffer.from('a seed of tests, which holds no money')))
    expect(payment).toMatchObject({
      state: 'pending',
      form: 'transfer',
      address: wallet.address,
      amount: '10.00',
      asset: 'USDT',
      network: 'Тестовая сеть',
      confirmations: null,
    })
    expect(payment.qrCode).toContain('<svg')
    await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    for (let seen = 1; seen < CONFIRMATIONS; seen += 1) {
      await shop.mineAndLook(1)
      expect(await look(t, user, payment.transaction_id)).toMatchObject({
        state: 'confirming',
        confirmations: { seen, needed: CONFIRMATIONS },
      })
    }
    expect(await balanceOf(t, user)).toBe('0.00')
    await shop.mineAndLook(1)
    await shop.mineAndLook(3)
    await shop.round()
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '900.00' })
    expect(await balanceOf(t, user)).toBe('900.00')
    const other = await payer(t)
    expect((await asked(shop, '100.00')).address).toBe(wallet.address)
    expect((await begin(t, other, '100.00', 'evm-usdc')).address).toBe(
      hdKeyToAccount(HDKey.fromMasterSeed(Buffer.from('a seed of tests, which holds no money')), { addressIndex: 1 })
        .address,
    )
    await expectRightBooks(t)
  },
)

async function listed({ t, user }: Shop): Promise<string[]> {
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  return history.data.map(({ state, sum, received }) => `${state} ${received} of ${sum}`)
}

only(
  'the quoted rate holds for twenty minutes of the chain’s time, up to the quoted amount; all else has that of its confirmation',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    await shop.rate('usdt', 97n)
    const payment = await asked(shop, '1000.00')
    expect(payment.amount).toBe('10.31')
    await shop.rate('usdt', 50n)
    await anvil.transfer(usdt, payment.address ?? '', 4n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    // The deposit is worth 1000 × 4 / 10.31 = 387.9728418…, credited in whole kopecks.
    expect(await look(t, user, payment.transaction_id)).toMatchObject({
      state: 'partial',
      received: '387.97',
      credited: '387.97',
    })
    await anvil.transfer(usdt, payment.address ?? '', 7_310_000n)
    await anvil.mine()
    t.clock.advance(HOUR)
    await shop.rate('usdt', 60n)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '1060.00' })
    expect(await balanceOf(t, user)).toBe('1060.00')

    const late = await asked(shop, '600.00')
    t.clock.advance(20 * MINUTE)
    await anvil.transfer(usdt, late.address ?? '', 10n * USDT)
    await shop.rate('usdt', 30n)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await look(t, user, late.transaction_id)).toMatchObject({ state: 'partial', received: '300.00' })
    await expectRightBooks(t)
  },
)

only(
  'an account has one open payment by an asset: the same amount is the same payment, another one a new quote',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const wish = (amount: string, idempotencyKey: string) =>
      call(t, 'POST /api/v1/payments', { system: 'evm-usdt', amount }, { token: user.token, idempotencyKey })
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, place) => wish('900.00', `tab-${place % 4}-of-several`)),
    )
    expect(new Set(many.map(({ data }) => data.transaction_id)).size).toBe(1)
    const first = many[0]?.data.transaction_id ?? ''
    await shop.rate('eth', 300_000n)
    expect(await asked(shop, '3000.00', 'evm-eth')).toMatchObject({ amount: '0.01', asset: 'ETH' })
    const second = (await wish('450.00', 'another-amount')).data
    expect(second).toMatchObject({ amount: '5.00', state: 'pending' })
    expect(await look(t, user, first)).toMatchObject({ state: 'expired', address: null })
    expect((await wish('900.00', 'tab-3-of-several')).data.transaction_id).toBe(first)
    const conflict = { system: 'evm-usdt', amount: '1.00' }
    const options = { token: user.token, idempotencyKey: 'tab-3-of-several' }
    expect((await refused(t, 'POST /api/v1/payments', conflict, options)).body.code).toBe('IDEMPOTENCY_CONFLICT')
    await anvil.transfer(usdt, second.address ?? '', 5n * USDT)
    await shop.mineAndLook(1)
    expect((await wish('123.00', 'money-is-on-its-way')).data).toMatchObject({ state: 'confirming', sum: '450.00' })
    await shop.mineAndLook(CONFIRMATIONS)
    expect((await wish('123.00', 'money-is-on-its-way')).data.transaction_id).toBe(second.transaction_id)
    expect(await look(t, user, second.transaction_id)).toMatchObject({ state: 'paid' })
    const third = await asked(shop, '180.00')
    t.clock.advance(21 * MINUTE)
    expect((await asked(shop, '180.00')).transaction_id).not.toBe(third.transaction_id)
    await expectRightBooks(t)
  },
)

only(
  'whatever arrives is credited, asked for or not: 18 decimals, two equal ones of one transaction, after a payment was closed',
  async () => {
    await using shop = await openShop({ environment: { ALARM_MAIL: 'night@example.test' } })
    const { t, anvil, user, usdt, usdc } = shop
    const { address, transaction_id } = await asked(shop)
    const to = address ?? ''
    await call(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id }, { token: user.token })
    t.clock.advance(MINUTE)
    await anvil.transfer(usdt, to, 0n)
    await anvil.transfer(usdt, to, USDT - 1n)
    const word = (value: string) => value.padStart(64, '0')
    await anvil.send({
      to: usdt,
      data: `0x${TWICE}${word(to.slice(2).toLowerCase())}${word((2n * USDT).toString(16))}`,
    })
    await anvil.transfer(usdc, to, 3n * ETHER + 1n)
    await anvil.transfer(usdc, to, 10n ** 30n)
    await shop.mineAndLook(CONFIRMATIONS + 1)
    expect(await listed(shop)).toEqual(['paid 270.00 of 270.00', 'partial 360.00 of 900.00'])
    expect(await balanceOf(t, user)).toBe('630.00')
    t.clock.advance(8 * 24 * HOUR)
    await shop.rate('usdt', 90n)
    await anvil.transfer(usdt, to, 5n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await listed(shop)).toEqual(['paid 450.00 of 450.00', 'paid 270.00 of 270.00', 'partial 360.00 of 900.00'])
    await watchService(t.ctx)
    const told = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.about}` : ''))
    expect(told).toEqual(['chain-finding evm'])
    for (const [, id = ''] of (await typed(t.database, 'chain:findings')).out.matchAll(/^(\d+) /gm)) {
      expect(await typed(t.database, 'chain:settle', id, ...WHY)).toMatchObject({ code: 0 })
    }
    await watchService(t.ctx)
    expect((await sentMails(t)).at(-1)?.mail).toMatchObject({ alarm: 'chain-finding', over: true })
    await expectRightBooks(t)
  },
)

only(
  'without a fresh rate nothing is quoted, and what arrives waits as confirming until there is one; staff are told',
  async () => {
    await using shop = await openShop({ environment: { ALARM_MAIL: 'night@example.test' } })
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    t.clock.advance(61 * MINUTE)
    const wish = { system: 'evm-usdc', amount: '900.00' }
    expect(await refused(t, 'POST /api/v1/payments', wish, { token: user.token })).toMatchObject({ status: 502 })
    await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS + 3)
    await reconcilePayments(t.ctx)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({
      state: 'confirming',
      confirmations: { seen: CONFIRMATIONS, needed: CONFIRMATIONS },
    })
    await watchService(t.ctx)
    await shop.rate('usdt', 80n)
    await shop.round()
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'partial', received: '800.00' })
    await watchService(t.ctx)
    const told = (await sentMails(t)).map(({ mail }) => (mail.kind === 'alarm' ? `${mail.alarm} ${mail.over}` : ''))
    expect(told).toEqual(['coin-rate false', 'coin-rate true'])
    await expectRightBooks(t)
  },
)

only(
  'the coin: by transactions that succeeded; what a contract sends is found by the balance and put before staff',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user } = shop
    await shop.rate('eth', 300_000n)
    const payment = await asked(shop, '3000.00', 'evm-eth')
    const forwarder = await anvil.deploy('Forwarder')
    await anvil.send({ to: forwarder, value: ETHER })
    await shop.mineAndLook(CONFIRMATIONS)
    const to = payment.address ?? ''
    await anvil.send({ to, value: ETHER / 100n })
    await anvil.send({ to: forwarder, value: ETHER, data: '0xdeadbeef' })
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '3000.00' })
    const pay = to.slice(2).toLowerCase().padStart(64, '0') + (ETHER / 50n).toString(16).padStart(64, '0')
    await anvil.send({ to: forwarder, data: `0x${PAY}${pay}` })
    await shop.mineAndLook(CONFIRMATIONS + 2)
    expect(await balanceOf(t, user)).toBe('3000.00')
    const { rows } = await t.ctx.db.query<{ kind: string; user_id: number; units: string }>({
      text: 'SELECT kind, user_id, units::text FROM chain_findings',
    })
    expect(rows).toEqual([{ kind: 'internal', user_id: user.id, units: (ETHER / 50n).toString() }])
    const { out } = await typed(t.database, 'chain:plan', 'evm', '--json')
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { gateway: 'evm', chain: 'evm:31337', used: 1 },
      { path: '0/0', address: payment.address, asset: 'ETH', amount: '0.03', contract: null, user_id: user.id },
    ])
    const found = (await typed(t.database, 'chain:findings')).out
    expect(found).toMatch(/^\d+ \S+ evm: internal, 20000000000000000 units of coin for user/)
    expect(await typed(t.database, 'chain:settle', /^\d+/.exec(found)?.[0] ?? '', ...WHY)).toMatchObject({ code: 0 })
    expect((await typed(t.database, 'chain:findings')).out).toBe('There is none.\n')
    await expectRightBooks(t)
  },
)
