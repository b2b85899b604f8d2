import { type Currency, parseDecimal } from '#contract/money.ts'
import type { EnvironmentReader } from './environment.ts'

export type AlarmSettings = {
  /** null: no alarms by mail. */
  alarmMail: string | null
  /** Of the bot; null: none by Telegram. */
  alarmTelegramChat: bigint | null
  /** null: none by webhook. */
  alarmWebhook: string | null
  alarmUnmatched: number
  /** Numbers of one supplier, by its code; `each`: of all others. 0: not watched. */
  alarmStock: { each: number; of: ReadonlyMap<string, number> }
  /** At one supplier; null: not watched. */
  alarmBalanceMicros: Record<Currency, bigint | null>
  /** Without a message while people wait; 0: not watched. */
  alarmSilenceMinutes: number
}

const ADDRESS_PATTERN = /^[^\s@<>,]+@[^\s@<>,]+$/
const CHAT_PATTERN = /^-?\d{1,18}$/
const SECRET_MIN_LENGTH = 16
/** `50` or `rack:3`. */
const STOCK_PATTERN = /^(?:([^\s:]+):)?(\d{1,7})$/
const MOST_STOCK = 1_000_000

export function readAlarms(read: EnvironmentReader): AlarmSettings {
  const alarmMail = read.optionalText('ALARM_MAIL')
  if (alarmMail !== null && !ADDRESS_PATTERN.test(alarmMail)) read.problem('ALARM_MAIL', 'must be one address')
  return {
    alarmMail,
    alarmTelegramChat: readChat(read),
    alarmWebhook: readWebhook(read),
    alarmUnmatched: read.integer('ALARM_UNMATCHED', 20, { min: 1, max: 100_000 }),
    alarmStock: readStock(read),
    alarmBalanceMicros: { rub: readBalance(read, 'ALARM_BALANCE_RUB'), usd: readBalance(read, 'ALARM_BALANCE_USD') },
    alarmSilenceMinutes: read.integer('ALARM_SILENCE_MINUTES', 10, { min: 0, max: 1440 }),
  }
}

/** It signs what the webhook is sent. null: there is no webhook. */
export function readAlarmSecret(read: EnvironmentReader): string | null {
  const secret = read.optionalText('ALARM_WEBHOOK_SECRET')
  if (read.has('ALARM_WEBHOOK') !== (secret !== null)) {
    read.problem('ALARM_WEBHOOK_SECRET', 'and ALARM_WEBHOOK must be set together')
  }
  if (secret !== null && secret.length < SECRET_MIN_LENGTH) {
    read.problem('ALARM_WEBHOOK_SECRET', `must have at least ${SECRET_MIN_LENGTH} characters`)
  }
  return secret
}

function readStock(read: EnvironmentReader): AlarmSettings['alarmStock'] {
  const of = new Map<string, number>()
  let each = 0
  for (const part of read.list('ALARM_STOCK')) {
    const [, code, digits] = STOCK_PATTERN.exec(part) ?? []
    const count = Number(digits)
    if (!(count <= MOST_STOCK)) {
      read.problem('ALARM_STOCK', `must be a number up to ${MOST_STOCK}, or such as 50,rack:3 with a supplier's code`)
    } else if (code === undefined) each = count
    else of.set(code, count)
  }
  return { each, of }
}

function readChat(read: EnvironmentReader): bigint | null {
  const text = read.optionalText('ALARM_TELEGRAM_CHAT')
  if (text === null) return null
  if (!read.has('TELEGRAM_BOT_TOKEN')) read.problem('ALARM_TELEGRAM_CHAT', 'needs the bot: set TELEGRAM_BOT_TOKEN')
  if (CHAT_PATTERN.test(text)) return BigInt(text)
  read.problem('ALARM_TELEGRAM_CHAT', 'must be the number of a chat, such as -1001234567890')
  return null
}

function readWebhook(read: EnvironmentReader): string | null {
  const text = read.optionalText('ALARM_WEBHOOK')
  if (text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return text
  read.problem('ALARM_WEBHOOK', 'must be an address that begins with https:// or http://')
  return null
}

function readBalance(read: EnvironmentReader, name: string): bigint | null {
  const text = read.optionalText(name)
  if (text === null) return null
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  read.problem(name, 'must be an amount above zero, such as 500.00')
  return null
}
