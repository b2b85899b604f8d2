import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness/harness.ts'
import { KIND_ROWS, KINDS_AS_CASES, MOVEMENTS } from './movement-kinds.ts'

const SUBJECTS = [
  {},
  { activation_id: 1 },
  { charge_id: 1 },
  { payment_id: 1 },
  { referral_share_id: 1 },
  { referral_withdrawal_id: 1 },
  { loyalty_reward_id: 1 },
  { channel_reward_id: 1 },
  { activation_id: 1, charge_id: 1 },
  { activation_id: 1, payment_id: 1 },
]

test('the database takes every kind of transfer between its own accounts, of its own subject, and nothing else', async () => {
  await using t = await startTestApp()
  const kinds = Object.entries(MOVEMENTS)
  const accounts = [...new Set(kinds.flatMap(([, { from, to }]) => [from, to])), 'elsewhere']
  const { rows } = await t.ctx.db.query<{ tried: number; taken: number; differ: string[] | null; expected: number }>({
    text: `SELECT count(*)::integer AS tried, count(*) FILTER (WHERE taken)::integer AS taken,
        (SELECT count(*) FROM (VALUES ${KIND_ROWS}) rule)::integer AS expected,
        (array_agg(DISTINCT kind) FILTER (WHERE taken IS DISTINCT FROM fits)) AS differ
      FROM (SELECT kind, is_transfer(t) AS taken, CASE kind ${KINDS_AS_CASES} ELSE false END AS fits
        FROM unnest($kinds::text[]) k, unnest($accounts::text[]) source, unnest($accounts::text[]) target,
          jsonb_array_elements($subjects::jsonb) subject,
          LATERAL jsonb_populate_record(NULL::transfers, subject || jsonb_build_object('kind', k, 'from_account', source, 'to_account', target)) t
      ) one`,
    values: { kinds: [...kinds.map(([kind]) => kind), 'invented'], accounts, subjects: JSON.stringify(SUBJECTS) },
  })
  const [found] = rows
  expect(found).toMatchObject({ differ: null, tried: (kinds.length + 1) * accounts.length ** 2 * SUBJECTS.length })
  const ofOrders = kinds.filter(([, { of }]) => of === 'order').length
  expect(found?.taken).toBe((found?.expected ?? 0) + ofOrders)
})
