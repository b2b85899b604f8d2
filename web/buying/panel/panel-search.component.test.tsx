import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { activationRecord } from '#test/builders/activation-record.ts'
import { buyButton, meta, most, SERVICES, SOLD_OUT, showPanel } from '#test/components/show-panel.tsx'

// N-1: with a remembered service and country the service list is closed, so the focus once moved to the countries.
test('/ vib ⏎ indo ⏎ ⏎ buys whatever was chosen before, and Escape gives the pair before the search back', async () => {
  const { user, purchases, history } = await showPanel({
    balance: '90.00',
    answers: { 'POST /api/v1/activations': { status: true, data: activationRecord() } },
  })
  const services = screen.getByRole<HTMLInputElement>('searchbox', { name: /service/iu, hidden: true })
  await user.keyboard('/{Escape}')
  expect(history.location.search).toBe('?service=tg&country=2')
  await user.keyboard('/')
  expect(document.activeElement).toBe(services)
  await user.keyboard('vib{Enter}')
  await waitFor(() => expect(history.location.search).toBe('?service=vi&country=2'))
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: /country/iu }))
  await user.keyboard('indo{Enter}')
  await waitFor(() => expect(history.location.search).toBe('?service=vi&country=6'))
  expect(document.activeElement).toBe(buyButton())
  await user.keyboard('/vib{Enter}')
  await waitFor(() => expect(document.activeElement?.getAttribute('data-panel-search')).toBe('country'))
  await user.keyboard('indo{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(buyButton()))
  expect(purchases()).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(purchases().map(({ input }) => input)).toMatchObject([{ service_id: 'vi', country_id: 6 }]),
  )
})

test('N-1: Escape in the search of countries leads back to that of services once their choice is undone', async () => {
  const { user, history } = await showPanel({ at: '/?service=tg' })
  await user.click(screen.getByRole('searchbox', { name: /country/iu }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(history.location.search).toBe(''))
  expect(document.activeElement?.getAttribute('data-panel-search')).toBe('service')
})

test('N-16: a pre-order of what nobody sells says what other services cost there', async () => {
  const others = ['wa', 'vi', 'ok'].map((id, place) => ({ ...SERVICES[0], id, name: id, price: `${place + 2}.50` }))
  const nobody = { ...SOLD_OUT.answers, 'GET /api/countries': { ...meta, count: 0, countries: [] } }
  const services = { ...meta, count: 4, services: [{ ...SERVICES[0], price: null }, ...others] }
  const { user } = await showPanel({
    ...SOLD_OUT,
    services,
    countries: [],
    answers: { ...nobody, 'GET /api/services': services } as never,
  })
  await most()
  await screen.findByRole('button', { name: /^2\.50.*lowest price for another service in this country/u })
  expect((await most()).value).toBe('')
  await user.click(screen.getByRole('button', { name: 'Place pre-order' }))
  await screen.findByText('Enter the highest price you’re willing to pay')
})
