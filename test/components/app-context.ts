import type { Api } from '#contract/calls/calls.ts'
import type { Locale } from '#contract/constants.ts'
import { NOTIFICATION_CATEGORIES } from '#contract/notifications/notification.ts'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import type { SiteSettings, User } from '#contract/user.ts'
import { type AppContext, createAppContext } from '#web/house/app-context.ts'
import type { PageData } from '#web/house/page-data.ts'
import { loadMessages, type TextExtent } from '#web/locales/messages.ts'

export const anna: User = {
  id: 1,
  email: 'anna@ringpost.test',
  name: 'Anna',
  role: 'user',
  balance: '10.00',
  held: '0.00',
  debt: '0.00',
  open_payments: 0,
  currency: 'rub',
  created_at: '2025-11-30T12:00:00.000Z',
  notifications_count: 0,
  activations: { count: 0, rent_count: 0 },
  settings: { ...FIRST_SETTINGS, locale: 'ru', copying_code: false, confirmation_actions: false, sound_new_sms: false },
}

export const NOW = '2026-01-01T00:00:00.000Z'

export const VISITOR = { status: 'unauthenticated', token: null, user: null } as const
export const MEMBER = { status: 'authenticated', token: 'first', user: anna } as const

export const SETTINGS: SiteSettings = {
  alerts: [],
  currency: 'rub',
  locales: ['ru', 'en'],
  captchaEnabled: '0',
  captchaKey: '',
  authProviders: [],
  telegramSubscribeReward: '0.00',
  notificationCategories: [...NOTIFICATION_CATEGORIES],
  closedPages: [],
  realtime: { key: 'ringpost', port: 6001, tls: false, publicUrl: '' },
  sentryDsn: '',
  demo: false,
  version: '1.2.3',
}

type PageOptions = { locale?: Locale; settings?: Partial<SiteSettings>; extent?: TextExtent }

export async function newAppContext(
  session: PageData['session'],
  api: Api = async () => Promise.reject(new Error('no call expected')),
  { locale = 'ru', settings = {}, extent = 'initial' }: PageOptions = {},
): Promise<AppContext> {
  const page: PageData = {
    buildId: 'b',
    now: NOW,
    locale,
    locales: settings.locales ?? [locale],
    theme: 'light',
    browserTimeZone: null,
    zone: { name: 'ru', currency: 'rub' },
    session,
    settings: { ...SETTINGS, locales: [locale], ...settings },
    publicUrl: 'https://ringpost.test',
    alternates: [],
    indexing: true,
    loaderData: {},
    failure: null,
  }
  return createAppContext({ page, messages: await loadMessages(locale, extent), api })
}
