import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Zone } from '#server/house/config/zones.ts'
import { balanceOf, expectRightBooks, payer } from '#test/builders/payments.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const CARDS = { systems: ['card'], defaultSystem: null }

async function make(t: TestApp, ...more: string[]): Promise<string[]> {
  const said = await typed(
    t.database,
    'voucher:create',
    'gift',
    '3',
    '500',
    '--currency',
    'rub',
    '--batch',
    'spring',
    ...more,
    ...WHY,
  )
  expect(said).toMatchObject({ code: 0, err: '' })
  return said.out.trim().split('\n')
}

const redeem = (t: TestApp, user: TestUser, code: string) =>
  refused(t, 'POST /api/v1/vouchers', { code }, { token: user.token })

test('a voucher gives its amount once, to one of two who type it at once and twice, as people type it', async () => {
  await using t = await startTestApp()
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const [anna, boris] = [await payer(t), await payer(t)]
  const [first = '', second = ''] = await make(t)
  expect(first).toMatch(/^[A-Z2-9]{16}$/)
  const { systems } = await call(t, 'GET /api/payments', {}, { token: anna.token })
  expect(systems.gift).toMatchObject({ form: 'voucher' })
  const typedByHand = `${first.toLowerCase().slice(0, 4)}-${first.slice(4, 8)} ${first.slice(8)}`
  const statuses = await Promise.all(
    [anna, boris, anna, boris].map(async ({ token }) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ code: typedByHand })
      return (await t.fetch('/api/v1/vouchers', { method: 'POST', token, headers, body })).status
    }),
  )
  expect(statuses.toSorted()).toEqual([201, 201, 409, 409])
  expect([await balanceOf(t, anna), await balanceOf(t, boris)].toSorted()).toEqual(['0.00', '500.00'])
  const redeemed = await call(t, 'POST /api/v1/vouchers', { code: second }, { token: boris.token })
  expect(redeemed).toMatchObject({
    data: { state: 'paid', received: '500.00', form: 'voucher' },
    redeemed_before: false,
  })
  expect(await call(t, 'POST /api/v1/vouchers', { code: second }, { token: boris.token })).toEqual({
    ...redeemed,
    redeemed_before: true,
  })
  const dump = await t.ctx.db.query<{ row: string }>({
    text: `SELECT vouchers::text AS row FROM vouchers UNION ALL SELECT audit_log::text FROM audit_log`,
  })
  expect(dump.rows.some(({ row }) => row.includes(first))).toBe(false)
  await expectRightBooks(t)
})

test('a wrong, withdrawn, expired or foreign voucher gives nothing; tries are limited for one, not for all', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const [anna, boris] = [await payer(t), await payer(t)]
  const [code = '', other = ''] = await make(t, '--days', '1')
  const dollars = await t.makeUser({ currency: 'usd', balance: '0.00' })
  expect(await redeem(t, dollars, code)).toMatchObject({ status: 422, body: { code: 'BAD_VOUCHER' } })
  expect(await redeem(t, anna, 'AAAA')).toMatchObject({ body: { code: 'BAD_VOUCHER' } })
  for (let turn = 0; turn < 9; turn += 1) await redeem(t, anna, 'A'.repeat(16))
  expect(await redeem(t, anna, code)).toMatchObject({ status: 429 })
  await call(t, 'POST /api/v1/vouchers', { code }, { token: boris.token })
  t.clock.advance(HOUR)
  expect(await typed(t.database, 'voucher:withdraw', 'spring', ...WHY)).toMatchObject({
    code: 0,
    out: '2 vouchers of spring are worthless now.\n',
  })
  expect(await redeem(t, anna, other)).toMatchObject({ status: 409, body: { code: 'VOUCHER_SPENT' } })
  await t.ctx.db.query({
    text: 'UPDATE vouchers SET withdrawn_at = NULL, expires_at = $1',
    values: [new Date(t.clock.now().getTime() - DAY)],
  })
  expect(await redeem(t, anna, other)).toMatchObject({ body: { code: 'VOUCHER_SPENT' } })
  expect(await balanceOf(t, anna)).toBe('0.00')
})

test('all vouchers that one user types at once are credited', async () => {
  await using t = await startTestApp()
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const user = await payer(t)
  const codes = [...(await make(t)), ...(await make(t))]
  const said = await Promise.all(
    codes.map(async (code) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ code })
      return (await t.fetch('/api/v1/vouchers', { method: 'POST', token: user.token, headers, body })).status
    }),
  )
  expect(said).toEqual(codes.map(() => 201))
  expect(await balanceOf(t, user)).toBe('3000.00')
  await expectRightBooks(t)
})

test('a paused gateway takes no voucher; a press whose answer was lost is still answered', async () => {
  await using t = await startTestApp()
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const user = await payer(t)
  const [first = '', second = ''] = await make(t)
  await call(t, 'POST /api/v1/vouchers', { code: first }, { token: user.token })
  const gift = gatewaysOf(t.ctx).byCode('gift')
  if (gift === undefined) throw new Error('it was added')
  gatewaysOf(t.ctx).put({ ...gift, isPaused: true })
  expect(await redeem(t, user, second)).toMatchObject({ status: 422, body: { code: 'BAD_PAYMENT_SYSTEM' } })
  await call(t, 'POST /api/v1/vouchers', { code: first }, { token: user.token })
  gatewaysOf(t.ctx).put(gift)
  await call(t, 'POST /api/v1/vouchers', { code: second }, { token: user.token })
  expect(await balanceOf(t, user)).toBe('1000.00')
  await expectRightBooks(t)
})

test('a zone that does not offer vouchers takes none', async () => {
  const zone: Zone = {
    name: 'ru',
    hosts: ['localhost'],
    currency: 'rub',
    locales: ['ru', 'en'],
    indexing: false,
    ...CARDS,
  }
  await using t = await startTestApp({ config: { zones: [zone] } })
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const user = await payer(t)
  const [code = ''] = await make(t)
  expect(await redeem(t, user, code)).toMatchObject({ status: 422, body: { code: 'BAD_PAYMENT_SYSTEM' } })
  expect(await balanceOf(t, user)).toBe('0.00')
})
