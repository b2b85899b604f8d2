import { HOUR } from '#contract/time.ts'
import { type EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'

/** null: there is no bot, and nothing of it is shown. */
export type TelegramSettings = {
  telegram: {
    /** Without `@`. */
    botName: string
    /** Without `@`; null: no channel, so no reward. */
    channel: string | null
    apiRoot: string
    updates: 'polling' | 'webhook'
    /** What an account, and the link of its chat, need before it is rewarded. */
    reward: { accountAgeMs: number; linkAgeMs: number; needsTopUp: boolean }
  } | null
}

const TOKEN_PATTERN = /^\d{3,20}:[\w-]{30,100}$/
const NAME_PATTERN = /^[A-Za-z]\w{3,31}$/
const API_ROOT = 'https://api.telegram.org'

export function readTelegram(read: EnvironmentReader): TelegramSettings {
  const botName = readName(read, 'TELEGRAM_BOT_NAME')
  if (read.has('TELEGRAM_BOT_TOKEN') !== (botName !== null)) {
    read.problem('TELEGRAM_BOT_TOKEN', 'and TELEGRAM_BOT_NAME must be set together')
  }
  const channel = readName(read, 'TELEGRAM_CHANNEL')
  const settings = {
    channel,
    apiRoot: readApiRoot(read),
    updates: read.oneOf('TELEGRAM_UPDATES', ['polling', 'webhook'], 'polling'),
    reward: {
      accountAgeMs: read.integer('TELEGRAM_REWARD_ACCOUNT_HOURS', 0, { min: 0, max: 8760 }) * HOUR,
      linkAgeMs: read.integer('TELEGRAM_REWARD_LINK_HOURS', 24, { min: 0, max: 8760 }) * HOUR,
      needsTopUp: read.oneOf('TELEGRAM_REWARD_NEEDS_TOP_UP', ['0', '1'], '1') === '1',
    },
  }
  return { telegram: botName === null ? null : { botName, ...settings } }
}

/** Whoever has the token is the bot. null: there is none. */
export function readTelegramToken(read: EnvironmentReader): string | null {
  const token = read.optionalText('TELEGRAM_BOT_TOKEN')
  if (token === null || TOKEN_PATTERN.test(token)) return token
  read.problem('TELEGRAM_BOT_TOKEN', 'must be a token as @BotFather gives it: 123456:ABC…')
  return null
}

function readName(read: EnvironmentReader, variable: string): string | null {
  const name = read.optionalText(variable)?.replace(/^@/, '') ?? null
  if (name === null || NAME_PATTERN.test(name)) return name
  read.problem(variable, 'must be a name of Telegram: 4 to 32 letters, digits and underscores')
  return null
}

function readApiRoot(read: EnvironmentReader): string {
  const { protocol, hostname, origin } = read.url('TELEGRAM_API_ROOT', API_ROOT)
  // The token travels in the path.
  if (protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname)) return origin
  read.problem('TELEGRAM_API_ROOT', 'must begin with https:// (http:// on this machine alone)')
  return API_ROOT
}
