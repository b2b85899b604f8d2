import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as account from './account-constants.ts'
import * as constants from './constants.ts'
import { CURRENCIES } from './money.ts'

test('9.1: the constants have the values of the specification', () => {
  expect(constants).toMatchObject({
    ALERT_LIFETIME_MS: 5000,
    ALERT_STAGGER_MS: 300,
    ALERTS_SHOWN_DESKTOP: 2,
    ALERTS_SHOWN_MOBILE: 1,
    CLIENT_PAGE_SIZE: 20,
    SERVER_PAGE_SIZE: 10,
    DEFAULT_RENT_PERIOD_HOURS: 24,
    SESSION_REFRESH_MS: 60_000,
    CHOICE_COOKIE_SECONDS: 31_536_000,
    REALTIME_PORT: 6001,
    LISTEN_DELAY_MS: 500,
    THEME_SWITCH_MS: 300,
    THEME_END_MS: 600,
    SCROLL_OFFSET_PX: 70,
    SCROLL_OFFSET_FAR_PX: 250,
    RELOAD_GUARD_MS: 10_000,
    MAX_ROUTE_PRELOADS: 4,
    CAPTCHA_ON: '2',
    LOCALES: ['ru', 'en'],
  })
  expect(account).toMatchObject({
    CODE_LENGTH: 6,
    CODE_SUBMIT_DELAY_MS: 1000,
    RESEND_COOLDOWN_SECONDS: 60,
    REFERRAL_COOKIE_SECONDS: 604_800,
  })
  expect(CURRENCIES).toEqual(['rub', 'usd'])
})

const HOMES: [pattern: RegExp, home: string][] = [
  [/\['rub', 'usd'\]|'rub' \| 'usd'/, 'contract/money.ts'],
  [/\['ru', 'en'\] as const|'ru' \| 'en'|enum\(\['ru', 'en'\]/, 'contract/constants.ts'],
  [/\/\^\\d\{6\}\$\//, 'contract/account-constants.ts'],
  [/captchaEnabled [!=]== '/, 'contract/constants.ts'],
]

test('9.1: each of them has one home', async () => {
  const strangers: string[] = []
  for await (const path of glob('{contract,server,web}/**/*.{ts,tsx}')) {
    if (/\.test\.tsx?$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    for (const [pattern, home] of HOMES) if (path !== home && pattern.test(text)) strangers.push(`${path}: ${home}`)
  }
  expect(strangers).toEqual([])
})
