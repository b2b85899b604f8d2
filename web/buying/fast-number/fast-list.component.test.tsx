import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LatestPurchases } from '#contract/rental.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { FastList } from './fast-list.tsx'

const kazakhstan = { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' }
const latest = {
  status: true,
  data: [
    {
      service: { id: 'tg', name: 'Telegram' },
      country: kazakhstan,
      operator: null,
      period: null,
      price: '15.00',
      count: 9,
      success_share: null,
      bought_at: '2026-01-01T00:00:00.000Z',
    },
  ],
} as LatestPurchases

async function showList({ balance, maxPrice = null }: { balance: string; maxPrice?: string | null }) {
  const user = { ...anna, balance, settings: { ...anna.settings, max_price: maxPrice } }
  return show(<FastList onDone={() => undefined} />, {
    answers: {
      'GET /api/user': user,
      'GET /api/user/latest-purchases': latest,
      'GET /api/user/latest-rent-purchases': { status: true, data: [] },
      'GET /api/services': { status: true, count: 0, favorites: 0, services: [] },
    },
    session: { ...MEMBER, user },
  })
}

test('8.1: a row says what is missing before the press, which leads to the top-up and asks for no purchase', async () => {
  const { user, sent, loads } = await showList({ balance: '2.50' })
  await user.click(await screen.findByRole('button', { name: /Telegram.*Top up.*12\.50/u }))
  await waitFor(() => expect(loads).toHaveLength(1))
  const { searchParams } = new URL(loads[0]?.url ?? '', 'http://this.site')
  expect(Object.fromEntries(searchParams)).toEqual({ amount: '12.50', back: '/?service=tg&country=2' })
  expect(sent.some(({ key }) => key === 'POST /api/v1/activations')).toBe(false)
})

test('a price above the own limit is said in the row, which leads to the panel', async () => {
  await showList({ balance: '2.50', maxPrice: '10.00' })
  const row = await screen.findByRole('link', { name: /Telegram.*15\.00.*above your limit/u })
  expect(row.getAttribute('href')).toBe('/?service=tg&country=2')
})
