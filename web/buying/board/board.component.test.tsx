import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import type { BoardRow } from '#web/catalogue/board/board-rows.ts'
import { readBoardView } from '#web/catalogue/board/board-rows.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { Board } from './board.tsx'

const measured = { count: 1234, success_share: 0.94, median_seconds: 12 }
const ROWS: BoardRow[] = [
  { ...measured, id: 2, slug: 'kazakhstan', name: 'Kazakhstan', iso2: 'KZ', price: '18.78' },
  { ...measured, id: 6, slug: 'indonesia', name: 'Indonesia', iso2: 'ID', price: '9.00', success_share: 0.55 },
  { ...measured, id: 0, slug: 'russia', name: 'Russia', iso2: 'RU', price: '30.00', success_share: null },
]

function BoardHere() {
  const [params] = useSearchParams()
  return (
    <Board
      item={{ id: 'tg', name: 'Telegram' }}
      kind="countries"
      rows={ROWS}
      currency="rub"
      view={readBoardView(params)}
      caption="Prices: Telegram"
      empty={<p>none</p>}
    />
  )
}

type Shown = { at?: string; signedIn?: boolean; balance?: string; asks?: boolean; answers?: object }

async function showBoard({
  at = '/price',
  signedIn = true,
  balance = '50.00',
  asks = false,
  answers = {},
}: Shown = {}) {
  const user = { ...anna, balance, settings: { ...anna.settings, confirmation_actions: asks, max_price: null } }
  const shown = await show(<BoardHere />, {
    at,
    answers: { 'GET /api/user': user, ...answers },
    ...(signedIn && { session: { ...MEMBER, user } }),
  })
  const purchases = () => shown.sent.filter(({ key }) => key === 'POST /api/v1/activations')
  return { ...shown, purchases }
}

const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const heads = () => screen.getAllByRole('columnheader').map((cell) => cell.getAttribute('aria-sort'))

test('N-8: a press of a head sorts the rows, says so and is in the address', async () => {
  const { user, history } = await showBoard()
  expect(names()).toEqual(['Indonesia', 'Kazakhstan', 'Russia'])
  expect(heads()).toEqual([null, null, null, null, 'ascending', null])
  await user.click(screen.getByRole('link', { name: 'Success rate' }))
  expect(names()).toEqual(['Kazakhstan', 'Indonesia', 'Russia'])
  expect(heads()).toEqual([null, 'descending', null, null, null, null])
  expect(history.location.search).toBe('?sort=share')
  await user.click(screen.getByRole('link', { name: 'Price' }))
  expect(history.location.search).toBe('')
})

test('the heat of a share is in its figure too, and the cheapest above the least share stands first', async () => {
  await showBoard({ at: '/price?min_share=80' })
  expect(names()).toEqual(['Kazakhstan'])
  expect(screen.getByText('94%').parentElement?.dataset.heat).toBe('4')
  expect(screen.getByText('Cheapest with a success rate of 80% or more').parentElement?.textContent).toContain(
    'Kazakhstan18.78',
  )
})

test('one press buys at the price of the row, with one key, and shows the number', async () => {
  const answers = { 'POST /api/v1/activations': () => new Promise<never>(() => undefined) }
  const { user, purchases } = await showBoard({ answers })
  const row = within(screen.getByRole('row', { name: /Kazakhstan/ }))
  await user.click(row.getByRole('button', { name: /^Buy a number \(Telegram, Kazakhstan\) for 18\.78/u }))
  await waitFor(() => expect(purchases()).toHaveLength(1))
  expect(purchases()[0]).toMatchObject({
    input: { service_id: 'tg', country_id: 2, price: '18.78' },
    idempotencyKey: expect.any(String),
  })
  await user.click(within(screen.getByRole('row', { name: /Russia/ })).getByRole('button'))
  expect(purchases()).toHaveLength(1)
})

test('who has chosen to be asked is asked, and who lacks money is led to the top-up', async () => {
  const asked = await showBoard({ asks: true })
  await asked.user.click(within(screen.getByRole('row', { name: /Kazakhstan/ })).getByRole('button'))
  await screen.findByText(/Buy a number \(Telegram, Kazakhstan\).*18\.78/u)
  expect(asked.purchases()).toEqual([])
  asked.unmount()
  const short = await showBoard({ balance: '10.00' })
  await short.user.click(within(screen.getByRole('row', { name: /Kazakhstan/ })).getByRole('button'))
  await waitFor(() => expect(short.loads).toHaveLength(1))
  const { pathname, searchParams } = new URL(short.loads[0]?.url ?? '', 'http://this.site')
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/top-up',
    { amount: '8.78', back: '/?service=tg&country=2' },
  ])
  expect(short.purchases()).toEqual([])
})

test('a price that rose is told in its row, and the next press buys at it', async () => {
  const answers = {
    'POST /api/v1/activations': () => {
      throw refusal(409, 'PRICE_CHANGED', { data: { price: '20.00' } })
    },
  }
  const { user, purchases } = await showBoard({ answers })
  const button = () => within(screen.getByRole('row', { name: /^Kazakhstan/ })).getByRole('button')
  await user.click(button())
  await screen.findByText(/18\.78.*20\.00/u)
  await user.click(button())
  await waitFor(() => expect(purchases()).toHaveLength(2))
  expect(purchases()[1]?.input).toMatchObject({ price: '20.00' })
})

test('a visitor is led to the panel with the pair', async () => {
  await showBoard({ signedIn: false })
  const row = within(screen.getByRole('row', { name: /Kazakhstan/ }))
  const link = row.getByRole('link', { name: /^Buy a number \(Telegram, Kazakhstan\) for 18\.78/u })
  expect(link.getAttribute('href')).toBe('/?service=tg&country=2')
})
