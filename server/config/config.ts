import { LOCALES } from '#contract/constants.ts'
import { type Currency, parseDecimal } from '#contract/money.ts'
import type { StaffRole } from '#contract/staff/staff-constants.ts'
import { type AccountSettings, readAccountSettings } from './account-settings.ts'
import { type AlarmSettings, readAlarmSecret, readAlarms } from './alarm-settings.ts'
import { type Doors, mailDomain, readDoors } from './door-settings.ts'
import { type Environment, EnvironmentReader, LOOPBACK_HOSTS } from './environment.ts'
import { type MarketingRule, parseMarketingRules } from './marketing-rules.ts'
import { type Outlets, readOutlets } from './outlet-settings.ts'
import { PASSWORD_COST, type PasswordCost } from './password-cost.ts'
import { type Programmes, readProgrammes } from './programme-settings.ts'
import { type ProviderSecrets, readProviders } from './provider-settings.ts'
import { type RealtimeSettings, readRealtime } from './realtime-settings.ts'
import { type RetentionSettings, readRetention } from './retention-settings.ts'
import { readTelegram, readTelegramToken, type TelegramSettings } from './telegram-settings.ts'
import { readZones, type Zone } from './zones.ts'

/** The first of `locales` is the default. */
export type Config = {
  demo: boolean
  host: string
  port: number
  metricsPort: number | null
  publicUrl: URL
  zones: Zone[]
  databaseUrl: string | null
  dataDir: string
  maxConnections: number
  realtime: RealtimeSettings
  activationSeconds: number
  earlyCancelSeconds: number
  /** Reports of "used" without that wait, in 24 hours: `least`, or `percent` of a pair's purchases. */
  usedReports: { least: number; percent: number; inARow: number }
  /** null: no limit. */
  maxOpenNumbers: number | null
  /** Within 24 hours; null: no limit. */
  maxDaySpendMicros: Record<Currency, bigint | null>
  /** Of what staff give back: in one ticket, and to one buyer in 24 hours; null: no limit. */
  staffRefundCapMicros: Record<Currency, bigint | null>
  /** Of one member of staff in 24 hours, by role; null: no limit. */
  staffDayCapMicros: Record<StaffRole, Record<Currency, bigint | null>>
  closedPages: string[]
  closedPagesUserIds: number[]
  /** The first that fits wins. */
  marketingActions: MarketingRule[]
  maintenanceMessage: string | null
  /** Without `@`. */
  contactTelegram: string | null
  programmes: Programmes
  /** null: no reward. */
  telegramRewardMicros: Record<Currency, bigint | null>
  mailFrom: string
  /** The delay before a drain, so that balancers can notice. */
  stopDelaySeconds: number
  /** An open port that a supervisor handed over. */
  listenFd: number | null
  databaseWaitSeconds: number
  /** No setting: tests lower it, because they hash thousands. */
  passwordCost: PasswordCost
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
} & AccountSettings &
  AlarmSettings &
  Doors &
  Outlets &
  TelegramSettings &
  RetentionSettings

/** A type apart from Config, so that a logged config shows no secret. null: made in DATA_DIR (demo only). */
export type Secrets = {
  secretKey: string | null
  /** Keys that SECRET_KEY replaced still open what they sealed. */
  previousSecretKeys: string[]
  /** null: no mail can be sent (the demo keeps its mails). */
  smtpUrl: string | null
  providers: ProviderSecrets
  /** null: no bot. */
  telegramToken: string | null
  /** It signs what ALARM_WEBHOOK is sent. */
  alarmSecret: string | null
}

/** As the running service has them: with the key that it found or made. */
export type ServiceSecrets = Omit<Secrets, 'secretKey' | 'smtpUrl'> & { secretKey: string }

const SECRET_KEY_MIN_LENGTH = 32

/** Throws ConfigError that names every bad variable. */
export function readConfig(environment: Environment = process.env): { config: Config; secrets: Secrets } {
  const read = new EnvironmentReader(environment)
  const database = databaseConfig(read)
  const { demo } = database
  const port = read.integer('PORT', 3000, { min: 0, max: 65_535 })
  const host = read.text('HOST', '127.0.0.1')
  const publicUrl = read.url('PUBLIC_URL', `http://${ownHost(host)}:${port}`)
  const locales = read.oneOfList('LOCALES', LOCALES, [...LOCALES])
  const indexing = read.text('INDEXING', demo ? 'noindex' : 'index') === 'index'
  const config: Config = {
    ...database,
    host,
    port,
    metricsPort: read.optionalInteger('METRICS_PORT', { min: 0, max: 65_535 }),
    publicUrl,
    zones: readZones(read, { publicUrl, locales, indexing }),
    ...readDoors(read, { demo, publicUrl }),
    realtime: readRealtime(read),
    activationSeconds: read.integer('ACTIVATION_SECONDS', 1200, { min: 1, max: 86_400 }),
    earlyCancelSeconds: read.integer('EARLY_CANCEL_SECONDS', 120, { min: 0, max: 86_400 }),
    usedReports: {
      least: read.integer('USED_FREE', 10, { min: 0, max: 1_000_000 }),
      percent: read.integer('USED_FREE_PERCENT', 30, { min: 0, max: 100 }),
      inARow: read.integer('USED_IN_A_ROW', 15, { min: 1, max: 1_000_000 }),
    },
    maxOpenNumbers: readMaxOpenNumbers(read),
    maxDaySpendMicros: { rub: readAmount(read, 'MAX_DAY_SPEND_RUB'), usd: readAmount(read, 'MAX_DAY_SPEND_USD') },
    staffRefundCapMicros: {
      rub: readAmount(read, 'STAFF_REFUND_CAP_RUB', '1000.00'),
      usd: readAmount(read, 'STAFF_REFUND_CAP_USD', '10.00'),
    },
    staffDayCapMicros: {
      support: {
        rub: readAmount(read, 'STAFF_REFUND_DAY_CAP_RUB', '10000.00'),
        usd: readAmount(read, 'STAFF_REFUND_DAY_CAP_USD', '100.00'),
      },
      operator: {
        rub: readAmount(read, 'STAFF_REFUND_OPERATOR_DAY_CAP_RUB', '100000.00'),
        usd: readAmount(read, 'STAFF_REFUND_OPERATOR_DAY_CAP_USD', '1000.00'),
      },
    },
    ...readAccountSettings(read),
    ...readAlarms(read),
    ...readRetention(read),
    closedPages: read.list('CLOSED_PAGES'),
    closedPagesUserIds: read.list('CLOSED_PAGES_USER_IDS').map(Number),
    marketingActions: readMarketingActions(read),
    maintenanceMessage: read.optionalText('MAINTENANCE_MESSAGE'),
    contactTelegram: read.optionalText('CONTACT_TELEGRAM'),
    programmes: readProgrammes(read, database),
    telegramRewardMicros: {
      rub: readAmount(read, 'TELEGRAM_SUBSCRIBE_REWARD_RUB'),
      usd: readAmount(read, 'TELEGRAM_SUBSCRIBE_REWARD_USD'),
    },
    ...readOutlets(read),
    ...readTelegram(read),
    mailFrom: readMailFrom(read, publicUrl),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', demo ? 0 : 2, { min: 0, max: 300 }),
    listenFd: readListenFd(read),
    databaseWaitSeconds: read.integer('DATABASE_WAIT_SECONDS', 20, { min: 0, max: 600 }),
    passwordCost: PASSWORD_COST,
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }
  const secrets = readSecrets(read)
  checkTogether(read, config, secrets)
  read.finish()
  return { config, secrets }
}

/**
 * Cookies belong to one host name, so mails and the welcome must name the same. Passkeys belong to names alone, so a
 * machine of one's own is `localhost`.
 */
export function ownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || LOOPBACK_HOSTS.includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** The first socket of systemd's protocol, sd_listen_fds(3). */
const FIRST_FD = 3

function readListenFd(read: EnvironmentReader): number | null {
  // The variables may be meant for another process.
  if (read.optionalText('LISTEN_PID') !== String(process.pid)) return null
  if (read.optionalText('LISTEN_FDS') !== '1') read.problem('LISTEN_FDS', 'must be 1: PORT alone can be handed over')
  return FIRST_FD
}

const OPEN_NUMBERS = 1000
const MOST_OPEN_NUMBERS = 1_000_000

function readMaxOpenNumbers(read: EnvironmentReader): number | null {
  if (read.optionalText('MAX_OPEN_NUMBERS') === 'none') return null
  return read.integer('MAX_OPEN_NUMBERS', OPEN_NUMBERS, { min: 1, max: MOST_OPEN_NUMBERS })
}

function readAmount(read: EnvironmentReader, name: string, standard: string | null = null): bigint | null {
  const text = read.optionalText(name) ?? standard
  if (text === null || text === 'none') return null
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  read.problem(name, 'must be an amount above zero, such as 5000.00')
  return null
}

export type DatabaseConfig = Pick<Config, 'demo' | 'databaseUrl' | 'dataDir' | 'maxConnections'>

export function readDatabaseConfig(environment: Environment = process.env): DatabaseConfig {
  const read = new EnvironmentReader(environment)
  const config = databaseConfig(read)
  read.finish()
  return config
}

export type CommandConfig = DatabaseConfig & {
  /** The limit without `--yes`; null: none. */
  maxCreditMicros: Record<Currency, bigint | null>
  /** Null: not set where the command runs. */
  publicUrl: URL | null
}

export function readCommandConfig(environment: Environment = process.env): CommandConfig {
  const read = new EnvironmentReader(environment)
  const maxCreditMicros = {
    rub: readAmount(read, 'MAX_CREDIT_RUB', '50000.00'),
    usd: readAmount(read, 'MAX_CREDIT_USD', '500.00'),
  }
  const publicUrl = read.has('PUBLIC_URL') ? read.url('PUBLIC_URL', 'http://localhost') : null
  const config = { ...databaseConfig(read), maxCreditMicros, publicUrl }
  read.finish()
  return config
}

export function readSecretKeys(environment: Environment = process.env): Secrets {
  const read = new EnvironmentReader(environment)
  const secrets = readSecrets(read)
  read.finish()
  return secrets
}

function readSecrets(read: EnvironmentReader): Secrets {
  const secretKey = read.optionalText('SECRET_KEY')
  if (secretKey !== null && secretKey.length < SECRET_KEY_MIN_LENGTH) {
    read.problem('SECRET_KEY', `must have at least ${SECRET_KEY_MIN_LENGTH} characters`)
  }
  const smtpUrl = read.optionalText('SMTP_URL')
  if (smtpUrl !== null && !(/^smtps?:\/\/[^/]/.test(smtpUrl) && URL.canParse(smtpUrl))) {
    read.problem('SMTP_URL', 'must be an address that begins with smtp:// or smtps://')
  }
  return {
    secretKey,
    previousSecretKeys: read.list('SECRET_KEY_PREVIOUS'),
    smtpUrl,
    providers: readProviders(read),
    telegramToken: readTelegramToken(read),
    alarmSecret: readAlarmSecret(read),
  }
}

function readMarketingActions(read: EnvironmentReader): MarketingRule[] {
  const text = read.optionalText('MARKETING_ACTIONS')
  if (text === null) return []
  try {
    return parseMarketingRules(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    read.problem('MARKETING_ACTIONS', `must be a JSON list of {"utm_…","action"}: ${why}`)
    return []
  }
}

function databaseConfig(read: EnvironmentReader): DatabaseConfig {
  return {
    demo: read.flag('DEMO'),
    databaseUrl: read.optionalText('DATABASE_URL'),
    dataDir: read.text('DATA_DIR', '.data'),
    maxConnections: read.integer('DATABASE_CONNECTIONS', 10, { min: 2, max: 200 }),
  }
}

const MAIL_FROM_PATTERN = /^(?:[^\s@<>,]+@[^\s@<>,]+|[^@<>,]*<[^\s@<>,]+@[^\s@<>,]+>)$/

function readMailFrom(read: EnvironmentReader, publicUrl: URL): string {
  const mailFrom = read.text('MAIL_FROM', `Ringpost <no-reply@${mailDomain(publicUrl)}>`)
  if (!MAIL_FROM_PATTERN.test(mailFrom)) {
    read.problem('MAIL_FROM', 'must be one address, with or without a name: Ringpost <no-reply@example.org>')
  }
  return mailFrom
}

export const DATABASE_MISSING = `is missing: set the address of a database of its own in a PostgreSQL 15 or later,
  postgres://ringpost:PASSWORD@127.0.0.1:5432/ringpost. These two commands make its role and the database:
    sudo -u postgres createuser --pwprompt ringpost
    sudo -u postgres createdb --owner=ringpost --template=template0 --encoding=UTF8 --locale=C.UTF-8 ringpost
  It also needs a rate and a supplier: \`npm run cli -- migrate\`, then \`rate:set usd …\` and \`supplier:add …\``

function checkTogether(read: EnvironmentReader, config: Config, secrets: Secrets): void {
  if (config.closedPagesUserIds.some((id) => !Number.isInteger(id))) {
    read.problem('CLOSED_PAGES_USER_IDS', 'must be user ids separated by commas')
  }
  if (config.demo && !LOOPBACK_HOSTS.includes(config.host)) {
    read.problem('HOST', 'must be a loopback address while DEMO is set: the demo is never open to a network')
  }
  if (config.demo) return
  if (config.databaseUrl === null) read.problem('DATABASE_URL', DATABASE_MISSING)
  if (secrets.secretKey === null) read.problem('SECRET_KEY', 'is missing: set a random text of 32 characters or more')
  if (secrets.smtpUrl === null) read.problem('SMTP_URL', 'is missing: people register by a code that is mailed')
  if (!read.has('PUBLIC_URL')) read.problem('PUBLIC_URL', 'is missing: set the address people open, https://…')
}
