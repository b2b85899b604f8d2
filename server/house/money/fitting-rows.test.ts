import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

async function judged(t: TestApp, table: 'accounts' | 'activations' | 'messages', rows: object[]): Promise<unknown[]> {
  const rule = { accounts: 'is_account', activations: 'is_activation', messages: 'is_message' }[table]
  const { rows: found } = await t.ctx.db.query<{ fits: boolean | null }>({
    text: `SELECT ${rule}(jsonb_populate_record(NULL::${table}, one)) AS fits
      FROM jsonb_array_elements($rows::jsonb) WITH ORDINALITY one (one, place) ORDER BY place`,
    values: { rows: JSON.stringify(rows) },
  })
  return found.map(({ fits }) => fits)
}

const MONEY_OF = {
  reserving: 'held',
  waiting: 'held',
  received: 'captured',
  waiting_again: 'captured',
  finished: 'captured',
  cancelled: 'released',
  expired: 'released',
  used: 'released',
  failed: 'released',
}

test('an activation has the money of its state, a price, and a number once it was sold', async () => {
  await using t = await startTestApp()
  const states = [...Object.keys(MONEY_OF), 'invented']
  const pairs = states.flatMap((state) => ['held', 'captured', 'released', ''].map((money) => ({ state, money })))
  const row = { price_micros: 1, phone: '79001234567' }
  const fitting = Object.entries(MONEY_OF).map(([state, money]) => `${state} ${money}`)
  const fits = await judged(
    t,
    'activations',
    pairs.map((pair) => ({ ...row, ...pair })),
  )
  expect(pairs.filter((_, place) => fits[place] === true).map(({ state, money }) => `${state} ${money}`)).toEqual(
    fitting,
  )
  expect(fits.every((one) => one !== null)).toBe(true)
  const unnumbered = Object.entries(MONEY_OF).map(([state, money]) => ({ state, money, price_micros: 1 }))
  const withoutNumber = await judged(t, 'activations', unnumbered)
  expect(unnumbered.filter((_, place) => withoutNumber[place] === true).map(({ state }) => state)).toEqual([
    'reserving',
    'failed',
  ])
  expect(await judged(t, 'activations', [{ ...row, state: 'waiting', money: 'held', price_micros: 0 }])).toEqual([
    false,
  ])
})

test('an account is never below zero, and one of play money owes and earns nothing', async () => {
  await using t = await startTestApp()
  const amounts = { available_micros: 0, held_micros: 0, debt_micros: 0, referral_micros: 0 }
  const plain = { ...amounts, currency: 'rub', sandbox: false }
  const limits = { open_numbers_limit: 0, day_spend_limit_micros: 0 }
  expect(await judged(t, 'accounts', [plain, { ...plain, ...limits }, { ...plain, currency: 'usd' }])).toEqual([
    true,
    true,
    true,
  ])
  const below = [...Object.keys(amounts), ...Object.keys(limits)].map((name) => ({ ...plain, [name]: -1 }))
  const played = ['debt_micros', 'referral_micros'].map((name) => ({ ...plain, sandbox: true, [name]: 1 }))
  const wrong = [...below, ...played, { ...plain, currency: 'eur' }]
  expect(await judged(t, 'accounts', wrong)).toEqual(wrong.map(() => false))
  expect(await judged(t, 'accounts', [{ ...plain, sandbox: true, available_micros: 5 }])).toEqual([true])
})

test('a message of somebody says why, one of nobody why not, and none has two orders', async () => {
  await using t = await startTestApp()
  const somebodys = ['reference', 'named', 'only-holder', 'hinted', 'by-hand', 'late', 'notice', 'opened', 'folded']
  const nobodys = ['unmatched', 'operator', 'junk']
  const all = [...somebodys, ...nobodys, 'invented']
  const fitting = async (order: object) => {
    const fits = await judged(
      t,
      'messages',
      all.map((given) => ({ given, ...order })),
    )
    return all.filter((_, place) => fits[place] === true)
  }
  expect(await fitting({})).toEqual(nobodys)
  expect(await fitting({ activation_id: 1 })).toEqual(somebodys)
  expect(await fitting({ rental_id: 1 })).toEqual(somebodys)
  expect(await fitting({ activation_id: 1, rental_id: 1 })).toEqual([])
})
