import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOTIFICATION_CATEGORIES, type NotificationSettings } from '#contract/notifications/notification.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { LimitForm } from './limit-form.tsx'

const none = Object.fromEntries(NOTIFICATION_CATEGORIES.map((category) => [category, []]))
const SETTINGS = {
  choices: none,
  offered: none,
  balance_limit: null,
  price_limit: '12.50',
} as never as NotificationSettings

test('a wrong limit is told at its field, which has the focus, and nothing is sent until it is right', async () => {
  const { user, sent } = await show(<LimitForm settings={SETTINGS} />, {
    session: MEMBER,
    locale: 'ru',
    answers: { 'GET /api/user': MEMBER.user, 'PATCH /api/v1/notifications/settings': SETTINGS },
  })
  const balance = screen.getByRole<HTMLInputElement>('textbox', { name: /^Баланс меньше/u })
  const price = screen.getByRole<HTMLInputElement>('textbox', { name: /^Избранный сервис/u })
  expect(price.value).toBe('12,50')
  await user.type(balance, '-5')
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await screen.findByText('Введите сумму больше нуля, например 100,00')
  expect([balance.ariaInvalid, price.ariaInvalid, document.activeElement]).toEqual(['true', 'false', balance])
  const saved = () => sent.filter(({ key }) => key === 'PATCH /api/v1/notifications/settings')
  expect(saved()).toEqual([])
  await user.clear(balance)
  await user.type(balance, '1 000,5{Enter}')
  await waitFor(() => expect(saved()).toHaveLength(1))
  expect(saved()[0]?.input).toEqual({ balance_limit: '1000.50', price_limit: '12.50' })
})
