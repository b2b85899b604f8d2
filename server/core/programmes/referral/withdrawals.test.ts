import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { balanceOf, expectRightBooks, payer } from '#test/builders/payments.ts'
import { figuresOf, invited, type Person, referralOf, spend } from '#test/builders/referral.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const NETWORKS = JSON.stringify([
  { code: 'trc20', names: { ru: 'USDT, сеть TRON', en: 'USDT, TRON' }, pattern: 'T[1-9A-HJ-NP-Za-km-z]{33}' },
])
const environment = {
  REFERRAL_PERCENT: '100',
  REFERRAL_PENDING_DAYS: '0',
  REFERRAL_LEAST_RUB: '10',
  REFERRAL_NETWORKS: NETWORKS,
}
const ADDRESS = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'
const PAYOUT = { to: 'address', network: 'trc20', address: ADDRESS } as const

async function earned(t: TestApp): Promise<{ user: Person; token: string; available: string }> {
  const fake = await t.addFake()
  const user = await payer(t)
  await spend(t, fake, await invited(t, user))
  const [, , available = ''] = await figuresOf(t, user)
  expect(Number(available)).toBeGreaterThan(10)
  return { user, available, token: (await beginTestSession(t.ctx, user.id)).token }
}

const history = async (t: TestApp, user: Person, filter = {}) =>
  call(t, 'GET /api/referral/history-withdrawals', filter, { token: user.token })

test('two withdrawals of the whole at once: one gets it, and a repeated key is one withdrawal', async () => {
  await using t = await startTestApp({ environment })
  const { user, available } = await earned(t)
  const input = { amount: available, to: 'balance' }
  const both = await Promise.all(
    ['key-number-1', 'key-number-2'].map((key) =>
      t.fetch('/api/v1/referral/withdrawals', {
        method: 'POST',
        token: user.token,
        body: JSON.stringify(input),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
  const key = both[0]?.status === 201 ? 'key-number-1' : 'key-number-2'
  const again = { token: user.token, idempotencyKey: key }
  await call(t, 'POST /api/v1/referral/withdrawals', { amount: available, to: 'balance' }, again)
  expect(await refused(t, 'POST /api/v1/referral/withdrawals', { amount: '1.00', to: 'balance' }, again)).toMatchObject(
    {
      body: { code: 'IDEMPOTENCY_CONFLICT' },
    },
  )
  expect(await balanceOf(t, user)).toBe(available)
  expect((await history(t, user)).meta).toEqual({ last_page: 1, total: 1 })
  await expectRightBooks(t)
})

test('to an address: asked, approved, paid with its transaction; the money is gone from the start', async () => {
  await using t = await startTestApp({ environment })
  const { user, token, available } = await earned(t)
  const { data } = await call(t, 'POST /api/v1/referral/withdrawals', { amount: '10.00', ...PAYOUT }, { token })
  expect(data).toMatchObject({ state: 'asked', network_name: 'USDT, сеть TRON', address: ADDRESS, tx: null })
  const left = (Number(available) - 10).toFixed(2)
  expect(await figuresOf(t, user)).toEqual(['0.00', '0.00', left, '10.00'])
  const second = await refused(t, 'POST /api/v1/referral/withdrawals', { amount: '10.00', ...PAYOUT }, { token })
  expect(second.body.code).toMatch(/WITHDRAWAL_OPEN|INVALID_INPUT/)
  const say = (name: string, ...more: string[]) => typed(t.database, name, String(data.id), ...more, ...WHY)
  expect(await say('referral:paid', '--tx', 'abc')).toMatchObject({ code: 1, err: expect.stringContaining('asked') })
  expect((await typed(t.database, 'referral:list')).out).toContain(`withdrawal ${data.id}`)
  expect(await say('referral:approve')).toMatchObject({ code: 0 })
  expect(await say('referral:approve')).toMatchObject({ code: 1 })
  expect(await say('referral:paid', '--tx', 'a b')).toMatchObject({ code: 2 })
  expect(await say('referral:paid', '--tx', 'abc', '--dry-run')).toMatchObject({ code: 0 })
  const both = await Promise.all([say('referral:paid', '--tx', 'abc'), say('referral:refuse')])
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1])
  const { data: rows } = await history(t, user)
  expect(['paid', 'refused']).toContain(rows[0]?.state)
  expect(rows[0]?.tx).toBe(rows[0]?.state === 'paid' ? 'abc' : null)
  await expectRightBooks(t)
})

test('a refusal gives the money back once; one transaction pays one withdrawal', async () => {
  await using t = await startTestApp({ environment: { ...environment, REFERRAL_LEAST_RUB: '1' } })
  const { user, token, available } = await earned(t)
  const ask = () => call(t, 'POST /api/v1/referral/withdrawals', { amount: '1.00', ...PAYOUT }, { token })
  const say = (name: string, id: number, ...more: string[]) => typed(t.database, name, String(id), ...more, ...WHY)
  const { data: first } = await ask()
  const said = await Promise.all([say('referral:refuse', first.id), say('referral:refuse', first.id)])
  expect(said.map(({ code }) => code).toSorted()).toEqual([0, 1])
  expect(await figuresOf(t, user)).toEqual(['0.00', '0.00', available, '0.00'])
  for (const tx of ['tx-1', 'tx-1', 'tx-2']) {
    const id = (await referralOf(t, user)).open_withdrawal?.id ?? (await ask()).data.id
    await say('referral:approve', id)
    await say('referral:paid', id, '--tx', tx)
  }
  const { data } = await history(t, user)
  expect(data.map(({ tx }) => tx)).toEqual(['tx-2', 'tx-1', null])
  expect((await history(t, user, { search: 'tx-2' })).data).toHaveLength(1)
  expect((await history(t, user, { search: '%' })).data).toHaveLength(0)
  expect((await history(t, user, { per_page: 2, page: 2 })).meta).toEqual({ last_page: 2, total: 3 })
  await expectRightBooks(t)
})

test('an address takes a session, confirmed lately; what is wrong of the form is named', async () => {
  await using t = await startTestApp({ environment })
  const { user, token } = await earned(t)
  const ask = (input: object, by = token) => refused(t, 'POST /api/v1/referral/withdrawals', input, { token: by })
  expect((await ask({ amount: '10.00', ...PAYOUT }, user.token)).body.code).toBe('FORBIDDEN')
  const wrong: [object, string][] = [
    [{ amount: '9.99', ...PAYOUT }, 'amount'],
    [{ amount: '0', ...PAYOUT }, 'amount'],
    [{ amount: '-10', to: 'balance' }, 'amount'],
    [{ amount: '10.001', ...PAYOUT }, 'amount'],
    [{ amount: '999999999999', to: 'balance' }, 'amount'],
    [{ amount: '1e9', to: 'balance' }, 'amount'],
    [{ amount: '10.001', to: 'balance' }, 'amount'],
    [{ amount: '10.00', ...PAYOUT, network: 'erc20' }, 'network'],
    [{ amount: '10.00', to: 'address' }, 'network'],
    [{ amount: '10.00', ...PAYOUT, address: `${ADDRESS}x` }, 'address'],
    [{ amount: '10.00', ...PAYOUT, address: '' }, 'address'],
    [{ amount: '10.00', to: 'card' }, 'to'],
  ]
  for (const [input, field] of wrong) {
    expect(await ask(input), JSON.stringify(input)).toMatchObject({
      body: { code: 'INVALID_INPUT', errors: { [field]: [expect.any(String)] } },
    })
  }
  t.clock.advance(6 * MINUTE)
  expect((await ask({ amount: '10.00', ...PAYOUT })).body.code).toBe('CONFIRM_PASSWORD')
  expect((await referralOf(t, user)).open_withdrawal).toBe(null)
  await using closed = await startTestApp({ environment: { ...environment, REFERRAL_NETWORKS: '[]' } })
  const member = await closed.makeUser()
  const asked = { token: member.token }
  expect(
    await refused(closed, 'POST /api/v1/referral/withdrawals', { amount: '10.00', ...PAYOUT }, asked),
  ).toMatchObject({
    body: { code: 'WITHDRAWALS_CLOSED' },
  })
  await expectRightBooks(t)
})

test('whoever owes withdraws to no address; whoever is blocked withdraws nothing', async () => {
  await using t = await startTestApp({ environment })
  const { user, token, available } = await earned(t)
  await t.ctx.db.query({
    text: `WITH owed AS (UPDATE accounts SET debt_micros = 5000000, available_micros = 5000000 WHERE user_id = $1)
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, referral_share_id, at)
      SELECT 'debt', $1, 'debt', 'available', 5000000, 'rub', min(id), $2 FROM referral_shares`,
    values: [user.id, t.clock.now()],
  })
  expect(
    await refused(t, 'POST /api/v1/referral/withdrawals', { amount: '10.00', ...PAYOUT }, { token }),
  ).toMatchObject({
    body: { code: 'IN_DEBT', data: { debt: '5.00' } },
  })
  const { balance } = await call(
    t,
    'POST /api/v1/referral/withdrawals',
    { amount: available, to: 'balance' },
    { token },
  )
  expect(balance).toBe(available)
  await typed(t.database, 'user:block', user.email, ...WHY)
  const last = { amount: '0.01', to: 'balance' }
  const said = await refused(t, 'POST /api/v1/referral/withdrawals', last, { token: user.token })
  expect(said).toMatchObject({ body: { code: 'BLOCKED' } })
  expect((await t.fetch('/api/v1/referral', { token })).status).toBe(403)
  await expectRightBooks(t)
})

test('nobody sees the withdrawals of another, and every call asks for a member', async () => {
  await using t = await startTestApp({ environment })
  const { user } = await earned(t)
  await call(t, 'POST /api/v1/referral/withdrawals', { amount: '1.00', to: 'balance' }, { token: user.token })
  const other = await t.makeUser()
  expect(await history(t, other)).toEqual({ status: true, data: [], meta: { last_page: 1, total: 0 } })
  for (const path of ['/api/v1/referral', '/api/v1/referral/shares', '/api/referral/history-withdrawals']) {
    expect((await t.fetch(path)).status, path).toBe(401)
  }
  // The reply must not reveal who was invited.
  const shares = await t.fetch('/api/v1/referral/shares', { token: user.token })
  expect(await shares.text()).not.toMatch(/invited|user_id|email/)
  t.clock.advance(DAY)
  await expectRightBooks(t)
})

test('who asks again and again waits, and others do not', async () => {
  await using t = await startTestApp({ environment })
  const { user } = await earned(t)
  const other = await payer(t)
  const ask = async ({ token }: Person) => {
    const body = JSON.stringify({ amount: '0.01', to: 'balance' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await t.fetch('/api/v1/referral/withdrawals', { method: 'POST', token, body, headers })
    return status
  }
  const said = await Promise.all(Array.from({ length: 30 }, () => ask(user)))
  expect(said.toSorted()).toEqual([...Array.from({ length: 20 }, () => 201), ...Array.from({ length: 10 }, () => 429)])
  expect(await balanceOf(t, user)).toBe('0.20')
  expect(await ask(other)).toBe(422)
  t.clock.advance(MINUTE)
  expect([await ask(user), await ask(user)]).toEqual([201, 429])
  await expectRightBooks(t)
})
