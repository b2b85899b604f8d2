import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PushReply } from '#contract/notifications/notification.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { PushSettings } from '#web/screens/settings/notifications/push-settings.tsx'
import { MemberNews } from './member-news.tsx'

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
  await screen.findByRole('switch', { name: 'Push here', checked: true })
  expect(shown.sent.filter(({ key }) => key === SUBSCRIBE)).toMatchObject([{ input: subscription }])
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
  await screen.findByText(/no longer took push/)
  expect(screen.getByRole('switch', { name: 'Push here', checked: false })).toBeTruthy()
  shown.unmount()
  allow('granted')
  for (const answers of [service(null), service('2026-01-01T00:00:00.000Z', true)]) {
    const { sent, unmount } = await show(<MemberNews />, { session: MEMBER, answers })
    await expect.poll(() => sent.length).toBeGreaterThan(0)
    unmount()
  }
  expect(pushManager.subscribe).not.toHaveBeenCalled()
})
