import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const BOT = {
  TELEGRAM_BOT_TOKEN: '123456:AAE-a_token_of_a_bot_as_botfather_gives_it',
  TELEGRAM_BOT_NAME: 'ringpost_bot',
}
const problemOf = (environment: Record<string, string>) => {
  try {
    readConfig({ DEMO: '1', ...environment })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return null
}

test('outlets and limits of alarms are read; the secret of the webhook stays out of the config', () => {
  const { config, secrets } = readConfig({
    DEMO: '1',
    ...BOT,
    ALARM_TELEGRAM_CHAT: '-1001234567890',
    ALARM_STOCK: '50, rack:3,range:2000',
    ALARM_BALANCE_USD: '12.50',
    ALARM_WEBHOOK: 'http://alerts.internal:8080/in',
    ALARM_WEBHOOK_SECRET: 'sixteen characters',
  })
  expect(config).toMatchObject({
    alarmMail: null,
    alarmTelegramChat: -1001234567890n,
    alarmWebhook: 'http://alerts.internal:8080/in',
    alarmStock: {
      each: 50,
      of: new Map([
        ['rack', 3],
        ['range', 2000],
      ]),
    },
    alarmBalanceMicros: { rub: null, usd: 12_500_000n },
    alarmSilenceMinutes: 10,
  })
  expect(secrets.alarmSecret).toBe('sixteen characters')
  expect(Object.values(config)).not.toContain('sixteen characters')
})

test('each bad setting of alarms is named', () => {
  expect(problemOf({ ALARM_TELEGRAM_CHAT: '5' })).toMatch(/ALARM_TELEGRAM_CHAT needs the bot/)
  expect(problemOf({ ...BOT, ALARM_TELEGRAM_CHAT: '@night' })).toMatch(
    /ALARM_TELEGRAM_CHAT must be the number of a chat/,
  )
  expect(problemOf({ ALARM_WEBHOOK: 'https://a.example/' })).toMatch(/ALARM_WEBHOOK_SECRET and ALARM_WEBHOOK must be/)
  const short = { ALARM_WEBHOOK: 'https://a.example/', ALARM_WEBHOOK_SECRET: 'short' }
  expect(problemOf(short)).toMatch(/at least 16 characters/)
  expect(problemOf({ ...short, ALARM_WEBHOOK: 'ftp://a.example/' })).toMatch(/ALARM_WEBHOOK must be an address/)
  for (const stock of ['-1', '1000001', 'rack', 'rack:', 'rack:x', ':5', '50 rack:3']) {
    expect(problemOf({ ALARM_STOCK: stock })).toMatch(
      /ALARM_STOCK must be a number up to 1000000, or such as 50,rack:3/,
    )
  }
  expect(problemOf({ ALARM_BALANCE_RUB: '-5' })).toMatch(/ALARM_BALANCE_RUB must be an amount/)
})
