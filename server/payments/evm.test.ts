import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { asked, CONFIRMATIONS, openShop, type Shop, XPUB } from '#test/builders/chain.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { anvilProgram } from '#test/fakes/chain/anvil.ts'
import { call, refused } from '#test/harness/calls.ts'
import { reconcilePayments } from './reconcile.ts'

const USDT = 1_000_000n
const ETHER = 10n ** 18n

const history = (shop: Shop) => call(shop.t, 'GET /api/payments-history', {}, { token: shop.user.token })

test.skipIf(anvilProgram === undefined)(
  'a token that returns nothing: an address of one’s own, confirmations live, credited once at the depth of the settings',
  async () => {
    await using shop = await openShop()
    const { t, anvil, user, usdt } = shop
    const payment = await asked(shop)
    const wallet = hdKeyToAccount(HDKey.fromMasterSeed(Buffer.from('a seed of tests, which holds no money')))
    expect(payment).toMatchObject({
      ...{ state: 'pending', form: 'transfer', address: wallet.address, amount: '10.00', asset: 'USDT' },
      ...{ network: 'Тестовая сеть', confirmations: null },
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
    await shop.turn()
    expect(await look(t, user, payment.transaction_id)).toMatchObject({ state: 'paid', received: '900.00' })
    expect(await balanceOf(t, user)).toBe('900.00')
    // The next payment has the same address, another payer another one.
    const other = await payer(t)
    expect((await asked(shop, '100.00')).address).toBe(wallet.address)
    expect((await begin(t, other, '100.00', 'evm-usdc')).address).toBe(
      hdKeyToAccount(HDKey.fromMasterSeed(Buffer.from('a seed of tests, which holds no money')), { addressIndex: 1 })
        .address,
    )
    await expectRightBooks(t)
  },
)
