import { expect, test } from 'vitest'
import type { PaymentRecord } from '#contract/payment.ts'
import { NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { CodeForm } from './code-form.tsx'

const TRANSFER: PaymentRecord = {
  transaction_id: 'one',
  system: 'coin',
  name: 'USDT',
  mark: 'coin',
  form: 'transfer',
  state: 'pending',
  closed: false,
  dispute: null,
  sum: '500.00',
  currency: 'rub',
  fee: '0.00',
  bonus: '0.00',
  received: '0.00',
  refunded: '0.00',
  credited: '0.00',
  redirect_url: null,
  address: 'T9x',
  amount: '5.20',
  asset: 'USDT',
  network: 'TRON',
  qrCode: null,
  wallet_url: null,
  instructions: null,
  confirmations: null,
  created_at: NOW,
  expired_at: '2026-01-01T00:20:00.000Z',
  paid_at: null,
}
const drawn = async (confirmations: PaymentRecord['confirmations']) => {
  const { container, unmount } = await show(<CodeForm payment={{ ...TRANSFER, confirmations }} />)
  const text = container.textContent ?? ''
  const dots = container.querySelectorAll('[data-confirmations] [aria-hidden] > span').length
  const filled = container.querySelectorAll('[data-filled]').length
  unmount()
  return { text, dots, filled }
}

test('confirmations are dots that fill, and words say how many are missing', async () => {
  expect(await drawn({ seen: 4, needed: 12 })).toMatchObject({ dots: 12, filled: 4 })
  expect((await drawn({ seen: 4, needed: 12 })).text).toContain('Confirmations: 4 of 12 8 more confirmations needed.')
  expect(await drawn({ seen: 30, needed: 12 })).toMatchObject({ dots: 12, filled: 12 })
})

test('many confirmations share the dots, and the last dot fills with the last confirmation only', async () => {
  expect(await drawn({ seen: 99, needed: 100 })).toMatchObject({ dots: 20, filled: 19 })
  expect(await drawn({ seen: 100, needed: 100 })).toMatchObject({ dots: 20, filled: 20 })
})

test('before the network sees the transfer, the place of the confirmations is kept', async () => {
  expect((await drawn(null)).text).toContain('Confirmations appear here')
})
