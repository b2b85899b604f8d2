import { beforeAll, expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import type { Query } from '#server/house/db/pool.ts'
import { asked, CONFIRMATIONS, openShop, type Shop } from '#test/builders/money/chain.ts'
import { balanceOf, begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { anvilProgram } from '#test/fakes/chain/anvil.ts'
import { compileTokens } from '#test/fakes/chain/tokens.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const USDT = 1_000_000n
const only = test.skipIf(anvilProgram === undefined)
beforeAll(compileTokens, 2 * MINUTE)

/** Runs `chain:rewind` between two steps of a round: reading the confirmed deposits and valuing them. */
function rewindBetween({ t: { ctx, database } }: Shop): { rewound: () => number | null } {
  const query = ctx.db.query.bind(ctx.db)
  let code: number | null = null
  ctx.db.query = async <Row>(given: Query) => {
    const result = await query<Row>(given)
    if (given.name !== 'chain-deposits-due' || result.rowCount === 0 || code !== null) return result
    code = (await typed(database, 'chain:rewind', 'evm', '1', '--yes', ...WHY)).code
    return result
  }
  return { rewound: () => code }
}

async function depositsOf({ t }: Shop): Promise<string[]> {
  const { rows } = await t.ctx.db.query<{ said: string }>({
    text: `SELECT d.state || CASE WHEN lost_at IS NULL THEN '' ELSE ' lost' END
        || COALESCE((SELECT ' ' || string_agg(l.state, ',') FROM chain_losses l WHERE l.deposit_id = d.id), '') AS said
      FROM chain_deposits d ORDER BY id`,
  })
  return rows.map(({ said }) => said)
}

only('a deposit that is lost while it is valued is not credited; found again, it is credited once', async () => {
  await using shop = await openShop()
  const { t, anvil, user, usdt } = shop
  const payment = await asked(shop)
  await anvil.transfer(usdt, payment.address ?? '', 10n * USDT)
  await shop.mineAndLook(CONFIRMATIONS - 1)
  const race = rewindBetween(shop)
  await anvil.mine()
  await shop.round()
  expect(race.rewound()).toBe(0)
  expect(await depositsOf(shop)).toEqual(['seen lost'])
  expect(await balanceOf(t, user)).toBe('0.00')
  await expectRightBooks(t)
  await shop.mineAndLook(2)
  expect(await depositsOf(shop)).toEqual(['valued'])
  expect(await balanceOf(t, user)).toBe('900.00')
  await expectRightBooks(t)
})

only('a deposit that is lost while it waits for a rate is not noted as waiting', async () => {
  await using shop = await openShop()
  const { t, anvil, usdt } = shop
  const payment = await asked(shop)
  await anvil.transfer(usdt, payment.address ?? '', 20n * USDT)
  await shop.mineAndLook(CONFIRMATIONS - 1)
  t.clock.advance(2 * DAY)
  const race = rewindBetween(shop)
  await anvil.mine()
  await shop.round()
  expect(race.rewound()).toBe(0)
  expect(await depositsOf(shop)).toEqual(['seen lost'])
})

only('the sender of a transfer names no payer: an exchange sends for thousands from one address', async () => {
  await using shop = await openShop()
  const { t, anvil, user, usdt } = shop
  const other = await payer(t)
  for (const { address } of [await asked(shop), await begin(t, other, '900.00', 'evm-usdt')]) {
    await anvil.transfer(usdt, address ?? '', 10n * USDT)
  }
  await shop.mineAndLook(CONFIRMATIONS + 1)
  expect([await balanceOf(t, user), await balanceOf(t, other)]).toEqual(['900.00', '900.00'])
  const { rows } = await t.ctx.db.query({ text: 'SELECT DISTINCT payer_hash FROM deposits' })
  expect(rows).toEqual([{ payer_hash: null }])
})
