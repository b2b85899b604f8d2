import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PaymentRecord } from '#contract/payment.ts'
import { anna, MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { VoucherForm } from './voucher-form.tsx'

const GIFT: PaymentRecord = {
  transaction_id: 'gift',
  system: 'voucher',
  name: 'Voucher',
  mark: 'voucher',
  form: 'voucher',
  state: 'paid',
  closed: false,
  dispute: null,
  sum: '250.00',
  currency: 'rub',
  fee: '0.00',
  bonus: '0.00',
  received: '250.00',
  refunded: '0.00',
  credited: '250.00',
  redirect_url: null,
  address: null,
  amount: '250.00',
  asset: null,
  network: null,
  qrCode: null,
  wallet_url: null,
  instructions: null,
  confirmations: null,
  created_at: NOW,
  expired_at: NOW,
  paid_at: NOW,
}

test('a voucher that was redeemed before credits nothing, and says so', async () => {
  let redeemedBefore = false
  const begun: string[] = []
  const onBegan = ({ transaction_id: id }: PaymentRecord) => begun.push(id)
  const { user } = await show(<VoucherForm onBegan={onBegan} onRefused={() => begun.push('refused')} />, {
    session: MEMBER,
    answers: {
      'GET /api/user': anna,
      'POST /api/v1/vouchers': () => ({ status: true, data: GIFT, redeemed_before: redeemedBefore }),
    },
  })
  const code = screen.getByLabelText<HTMLInputElement>('Voucher code')
  await user.type(code, 'ABCD-EFGH-JKLM-NPQR{Enter}')
  await expect.poll(() => begun).toEqual(['gift'])
  expect(code.value).toBe('')
  redeemedBefore = true
  await user.type(code, 'ABCD-EFGH-JKLM-NPQR{Enter}')
  await screen.findByText(/already redeemed this voucher for 250\.00/u)
  expect(begun).toEqual(['gift', 'refused'])
})
