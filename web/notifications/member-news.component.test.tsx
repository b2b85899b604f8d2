import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PushReply } from '#contract/notifications/notification.ts'
import { paymentPath } from '#contract/payment.ts'
import { MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { NO_ALERTS } from '#web/house/stores/alert-queue.ts'
import { PushSettings } from '#web/screens/settings/notifications/push-settings.tsx'
import { MemberNews } from './member-news.tsx'
import { useToldCredit } from './use-told-credit.ts'

const SUBSCRIBE = 'POST /api/v1/push/subscriptions'
const subscription = { endpoint: 'https://push.example/new', keys: { p256dh: 'point', auth: 'secret' } }
const made = { toJSON: () => subscription, unsubscribe: async () => true }
const pushManager = { getSubscription: async () => null, subscribe: vi.fn(async () => made) }

function allow(permission: NotificationPermission): void {
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })
}

beforeEach(() => {
  pushManager.subscribe.mockClear()
  vi.stubGlobal('PushManager', {})
  const serviceWorker = { ready: Promise.resolve({ pushManager }) }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
})

afterEach(() => {
  for (const name of ['Notification', 'PushManager']) Reflect.deleteProperty(globalThis, name)
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

function service(gone_at: string | null, other = false) {
  const row = { id: 5, current: !other, created_at: '2026-01-01T00:00:00.000Z', gone_at }
  const reply = (): PushReply => ({ status: true, public_key: 'key', subscriptions: [row] })
  return {
    'GET /api/v1/push': reply,
    [SUBSCRIBE]: () => {
      row.gone_at = null
      return reply()
    },
  }
}

test('a browser that was forgotten subscribes again on whatever page, and the settings show it', async () => {
  allow('granted')
  const shown = await show(
    <>
      <MemberNews />
      <PushSettings />
    </>,
    { session: MEMBER, answers: service('2026-01-01T00:00:00.000Z') },
  )
  await screen.findByRole('switch', { name: 'Push notifications here', checked: true })
  expect(shown.sent.filter(({ key }) => key === SUBSCRIBE)).toMatchObject([{ input: subscription }])
})

test('credited money is an alert, but not beside the page’s own word about the same payment', async () => {
  allow('default')
  const words = { text: '', created_at: NOW, read: false, isSocket: true, notifications_count: 1 } as const
  const credited = (id: number, payment: string) =>
    ({
      ...words,
      id,
      category: 'payments',
      kind: 'payment-credited',
      title: `${payment} credited`,
      link: paymentPath(payment),
    }) as const
  function Told() {
    useToldCredit('one', true)
    return null
  }
  const { app } = await show(
    <>
      <Told />
      <MemberNews />
    </>,
    { session: MEMBER, answers: { 'POST /api/v1/notifications/read': { status: true, notifications_count: 0 } } },
  )
  const texts = () => {
    const { shown, waiting } = app.alerts.queue.get()
    return [...shown, ...waiting].map(({ text }) => text)
  }
  for (const payload of [credited(1, 'one'), credited(2, 'other')]) {
    act(() => app.live.emit({ name: 'NewUserNotification', payload }))
  }
  await expect.poll(texts).toEqual(['other credited'])
  app.alerts.queue.set(NO_ALERTS)
})

test('nobody who has taken the permission back, or whose browser is known, is subscribed', async () => {
  allow('default')
  const shown = await show(
    <>
      <MemberNews />
      <PushSettings />
    </>,
    { session: MEMBER, answers: service('2026-01-01T00:00:00.000Z') },
  )
  await screen.findByText(/stopped accepting push/)
  expect(screen.getByRole('switch', { name: 'Push notifications here', checked: false })).toBeTruthy()
  shown.unmount()
  allow('granted')
  for (const answers of [service(null), service('2026-01-01T00:00:00.000Z', true)]) {
    const { sent, unmount } = await show(<MemberNews />, { session: MEMBER, answers })
    await expect.poll(() => sent.length).toBeGreaterThan(0)
    unmount()
  }
  expect(pushManager.subscribe).not.toHaveBeenCalled()
})
