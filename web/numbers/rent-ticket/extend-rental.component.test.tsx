import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { rentalRecord } from '#test/builders/rental-record.ts'
import { anna, MEMBER } from '#test/components/app-context.ts'
import { refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { applyRecordToCache } from '#web/live/apply-to-cache.ts'
import { ExtendRental } from './extend-rental.tsx'

const EXTEND = 'POST /api/v1/rentals/{id}/extend'
const PERIODS = [{ period: 24, price: '80.00', until: '2026-05-04T12:00:00.000Z' }]

test('a press without a reply keeps its idempotency key when the end of the rental moves meanwhile', async () => {
  const record = rentalRecord()
  const extended = rentalRecord({ expired_date: '2026-05-03T12:00:00.000Z' })
  let tries = 0
  const { user, app, sent } = await show(<ExtendRental id={record.id} onDone={() => undefined} />, {
    session: MEMBER,
    answers: {
      'GET /api/user': anna,
      'GET /api/v1/rentals/{id}': { status: true, data: record },
      'GET /api/v1/rentals/{id}/extensions': { status: true, data: { currency: 'rub', periods: PERIODS } },
      [EXTEND]: () => {
        tries += 1
        if (tries === 1) throw refusal(0, 'NO_REPLY')
        return { status: true, data: extended }
      },
    },
  })
  const press = async () => user.click(await screen.findByRole('button', { name: /^Extend/ }))
  const keys = () => sent.filter(({ key }) => key === EXTEND).map(({ idempotencyKey }) => idempotencyKey)
  const asked = () => sent.filter(({ key }) => key.endsWith('/extensions')).length
  await press()
  await waitFor(() => expect(keys()).toHaveLength(1))
  const before = asked()
  // The lost request did extend the rental, and a live event says so.
  act(() => applyRecordToCache(app.queryClient, 'rental', extended))
  await waitFor(() => expect(asked()).toBeGreaterThan(before))
  await press()
  await waitFor(() => expect(keys()).toHaveLength(2))
  expect(new Set(keys()).size).toBe(1)
})
