import { beforeAll, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { followGateways } from '#server/programs/boot/start-gateways.ts'
import { asked, CONFIRMATIONS, openShop, type Shop } from '#test/builders/money/chain.ts'
import { balanceOf, expectRightBooks, look } from '#test/builders/payments.ts'
import { anvilProgram } from '#test/fakes/chain/anvil.ts'
import { compileTokens } from '#test/fakes/chain/tokens.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { reconcilePayments } from './reconcile.ts'

const USDT = 1_000_000n
const only = test.skipIf(anvilProgram === undefined)
beforeAll(compileTokens, 2 * MINUTE)

async function reorganise({ anvil }: Shop, depth: number): Promise<void> {
  await anvil.ask('anvil_reorg', depth, [])
}

async function restart({ t }: Shop): Promise<void> {
  await t.ctx.db.query({ text: 'UPDATE gateways SET settings_version = settings_version + 1' })
  await followGateways(t.ctx)
}

only(
  'a reorganisation that drops a deposit before it counts, and one that moves it: credited once, when it is deep again',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    await shop.mineAndLook(2)
    await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS - 1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'confirming' })
    await reorganise(shop, 4)
    await shop.round()
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'pending', confirmations: null })
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await balanceOf(t, user)).toBe('0.00')
    const hash = await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
    await shop.mineAndLook(2)
    await reorganise(shop, 3)
    await restart(shop)
    await shop.mineAndLook(2)
    expect(await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)).toBe(hash)
    await shop.mineAndLook(1)
    await restart(shop)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '900.00' })
    expect(await balanceOf(t, user)).toBe('900.00')
    const { rows } = await t.ctx.db.query<{ count: bigint }>({ text: 'SELECT count(*) FROM chain_deposits' })
    expect(rows).toEqual([{ count: 1n }])
    await expectRightBooks(t)
  },
)

only(
  'a credited deposit that a deeper reorganisation takes is disputed, comes back with it, and is lost after a day',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    const to = payment.address ?? ''
    await shop.mineAndLook(2)
    await anvil.transfer(usdt, to, 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS + 1)
    const spend = { userId: user.id, amountMicros: -400_000_000n, idempotencyKey: 'spent', at: t.clock.now() }
    await adjustBalance(t.ctx.db, spend)
    await reorganise(shop, 6)
    await shop.mineAndLook(1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'disputed', refunded: '900.00' })
    expect(await balanceOf(t, user)).toBe('0.00')
    await expectRightBooks(t)
    await anvil.transfer(usdt, to, 10n * USDT)
    await shop.mineAndLook(1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid' })
    expect(await balanceOf(t, user)).toBe('500.00')
    await expectRightBooks(t)

    await shop.mineAndLook(2)
    await reorganise(shop, 5)
    await shop.mineAndLook(1)
    t.clock.advance(DAY + HOUR)
    await reconcilePayments(t.ctx)
    await shop.mineAndLook(1)
    const { rows } = await t.ctx.db.query<{ state: string }>({ text: 'SELECT state FROM reversals ORDER BY id' })
    expect(rows).toEqual([{ state: 'won' }, { state: 'lost' }])
    await shop.rate('usdt', 100n)
    await anvil.transfer(usdt, to, 10n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await balanceOf(t, user)).toBe('600.00')
    await expectRightBooks(t)
  },
)

only(
  'a deposit that is lost takes what it credited, also where it completed a kopeck of the one before it',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    await shop.rate('usdt', 97n)
    const payment = await asked(shop, '1000.00')
    await anvil.transfer(usdt, payment.address ?? '', 4n * USDT)
    await shop.mineAndLook(CONFIRMATIONS + 4)
    // The amounts 387.9728418… and 290.9796314… sum to 678.9524733….
    expect(await balanceOf(t, user)).toBe('387.97')
    await anvil.transfer(usdt, payment.address ?? '', 3n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await balanceOf(t, user)).toBe('678.95')
    await reorganise(shop, 4)
    await shop.mineAndLook(1)
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'disputed', refunded: '290.98' })
    expect(await balanceOf(t, user)).toBe('387.97')
    await expectRightBooks(t)
    await anvil.transfer(usdt, payment.address ?? '', 3n * USDT)
    await shop.mineAndLook(1)
    expect(await balanceOf(t, user)).toBe('678.95')
    await expectRightBooks(t)
  },
)

only(
  'a head that goes back 30 blocks and grows again; one below what is kept stops the watch until staff say so',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    const to = payment.address ?? ''
    await anvil.mine(20)
    await anvil.transfer(usdt, to, 4n * USDT)
    await anvil.mine(12)
    await shop.round()
    expect(await balanceOf(t, user)).toBe('360.00')
    await anvil.ask('anvil_rollback', 30)
    // The node now lacks its latest blocks, as a lagging node does. Money is taken back only once other blocks replace
    // them.
    await shop.round()
    expect(await balanceOf(t, user)).toBe('360.00')
    await anvil.transfer(usdt, to, 5n * USDT)
    await shop.mineAndLook(CONFIRMATIONS)
    expect(await balanceOf(t, user)).toBe('450.00')
    expect(await look(t, user, payment.transaction_id)).toMatchObject({
      state: 'disputed',
      received: '810.00',
      refunded: '360.00',
    })
    await expectRightBooks(t)

    await anvil.mine(140)
    await shop.round()
    await t.ctx.db.query({ text: 'DELETE FROM chain_blocks WHERE number < (SELECT max(number) - 8 FROM chain_blocks)' })
    await reorganise(shop, 12)
    await shop.mineAndLook(2)
    const { rows } = await t.ctx.db.query<{ stopped: string }>({ text: 'SELECT stopped FROM chain_watches' })
    expect(rows[0]?.stopped).toMatch(/^a reorganisation below block \d+/)
    const { out } = await typed(t.database, 'gateway:list')
    expect(out).toContain('STOPPED: a reorganisation')
    expect((await typed(t.database, 'chain:rewind', 'evm', '2', ...WHY)).err).toMatch(/1 deposits above block 2 are/)
    expect(await typed(t.database, 'chain:rewind', 'evm', '2', '--yes', ...WHY)).toMatchObject({ code: 0 })
    await shop.round()
    await shop.mineAndLook(1)
    expect(await balanceOf(t, user)).toBe('450.00')
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ received: '810.00', refunded: '360.00' })
    await expectRightBooks(t)
  },
)
