import { PROVIDERS, type Provider } from '#contract/account-constants.ts'
import type { Currency } from '#contract/money.ts'
import { HOUR } from '#contract/time.ts'
import { type Release, VERSION } from '#server/house/release.ts'
import { mailDomain, ownHost } from './door-settings.ts'
import { type Environment, EnvironmentReader } from './environment.ts'
import { LOOPBACK_HOSTS } from './kinds.ts'
import { PASSWORD_COST } from './password-cost.ts'
import type { LoyaltySettings } from './programme-settings.ts'
import type { ProviderSecrets } from './provider-settings.ts'
import type { ReferralSettings } from './referral-settings.ts'
import { readZones } from './zones.ts'

/** The configuration. Null means that a setting is not given, or that no limit applies. */
export type Config = ReturnType<typeof assemble> & { release: Release }

/** The secret settings. They are apart from `Config`, so that a logged `Config` reveals no secret. */
export type Secrets = ReturnType<typeof readSecrets>

export type ServiceSecrets = Omit<Secrets, 'secretKey' | 'smtpUrl'> & { secretKey: string }

/** Reads the configuration from the environment. Throws a ConfigError that names every bad variable. */
export function readConfig(
  environment: Environment = process.env,
  release: Release = { version: VERSION, commit: null },
): { config: Config; secrets: Secrets } {
  const read = new EnvironmentReader(environment)
  const config = { ...assemble(read), release }
  const secrets = readSecrets(read)
  if (config.closedPagesUserIds.some((id) => !Number.isInteger(id))) read.breaks('CLOSED_PAGES_USER_IDS')
  if (config.demo && !LOOPBACK_HOSTS.includes(config.host)) {
    read.problem('HOST', 'must be a loopback address while DEMO is set: the demo is never open to a network')
  }
  if (!config.demo) read.needAll()
  read.finish()
  return { config, secrets }
}

function assemble(read: EnvironmentReader) {
  const database = databaseConfig(read)
  const port = read.get('PORT')
  const host = read.get('HOST')
  const publicUrl = read.get('PUBLIC_URL') ?? new URL(`http://${ownHost(host)}:${port}`)
  const locales = read.get('LOCALES')
  const indexing = read.get('INDEXING') === 'index'
  return {
    ...database,
    host,
    port,
    metricsPort: read.get('METRICS_PORT'),
    publicUrl,
    zones: readZones(read, { publicUrl, locales, indexing }),
    ...readDoors(read, publicUrl),
    realtime: readRealtime(read),
    ...readLimits(read),
    breachedPasswordsFile: read.get('BREACHED_PASSWORDS_FILE'),
    sessionDays: read.get('SESSION_DAYS'),
    ...readAlarms(read),
    messageKeepDays: read.get('MESSAGE_KEEP_DAYS'),
    sessionKeepDays: read.get('SESSION_KEEP_DAYS'),
    gatewayEventKeepDays: read.get('GATEWAY_EVENT_KEEP_DAYS'),
    receiptKeepDays: read.get('RECEIPT_KEEP_DAYS'),
    closedPages: read.get('CLOSED_PAGES'),
    closedPagesUserIds: read.get('CLOSED_PAGES_USER_IDS').map(Number),
    marketingActions: read.get('MARKETING_ACTIONS'),
    maintenanceMessage: read.get('MAINTENANCE_MESSAGE'),
    contactTelegram: read.get('CONTACT_TELEGRAM'),
    programmes: { loyalty: readLoyalty(read), referral: readReferral(read) },
    telegramRewardMicros: read.inBoth('TELEGRAM_SUBSCRIBE_REWARD'),
    counter: { snippets: read.get('COUNTER_SNIPPETS_FILE'), hosts: read.get('COUNTER_HOSTS') },
    sentryDsn: read.get('SENTRY_DSN'),
    outboundPrivateHosts: read.get('OUTBOUND_PRIVATE_HOSTS'),
    telegram: readTelegram(read),
    mailFrom: readDerived(read, 'MAIL_FROM', `Ringpost <no-reply@${mailDomain(publicUrl)}>`),
    stopDelaySeconds: read.get('STOP_DELAY_SECONDS'),
    listenFd: readListenFd(read),
    databaseWaitSeconds: read.get('DATABASE_WAIT_SECONDS'),
    redis: readRedis(read),
    passwordCost: PASSWORD_COST,
    logLevel: read.get('LOG_LEVEL'),
  }
}

export type DatabaseConfig = ReturnType<typeof databaseConfig>

function databaseConfig(read: EnvironmentReader) {
  if (read.has('DATABASE_DIRECT_URL') && !read.has('DATABASE_URL')) {
    read.problem('DATABASE_DIRECT_URL', 'goes past the pooler of DATABASE_URL: set that one, too')
  }
  if (read.has('DATABASE_REPLICA_URL') && !read.has('DATABASE_URL')) {
    read.problem('DATABASE_REPLICA_URL', 'names a stand-by of DATABASE_URL: set that one, too')
  }
  return {
    demo: read.get('DEMO'),
    databaseUrl: read.get('DATABASE_URL'),
    databaseDirectUrl: read.get('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: read.get('DATABASE_REPLICA_URL'),
    preparedStatements: read.get('DATABASE_PREPARED_STATEMENTS') === 'on',
    dataDir: read.get('DATA_DIR'),
    maxConnections: read.get('DATABASE_CONNECTIONS'),
  }
}

function readRedis(read: EnvironmentReader) {
  const address = read.get('REDIS_URL')
  return address === null ? null : { address, prefix: read.get('REDIS_PREFIX') ?? 'ringpost:' }
}

function readDoors(read: EnvironmentReader, publicUrl: URL) {
  const contactEmail = read.get('CONTACT_EMAIL') ?? `support@${mailDomain(publicUrl)}`
  return {
    trustedProxies: read.get('TRUSTED_PROXIES'),
    apiRequestsPerSecond: read.get('API_REQUESTS_PER_SECOND'),
    fiveSimNoPhonesStatus: Number(read.get('FIVE_SIM_NO_PHONES_STATUS')),
    hstsSubdomains: read.get('HSTS_SUBDOMAINS'),
    captchaEnabled: read.get('CAPTCHA_ENABLED'),
    contactEmail,
    securityContact: readDerived(read, 'SECURITY_CONTACT', `mailto:${contactEmail}`),
    metricsHost: read.get('METRICS_HOST'),
    runAs: readRunAs(read),
    pagesPerSecond: read.get('PAGES_PER_SECOND'),
  }
}

/** Reads a setting whose default is built from other settings. The default must obey the setting's rule, too. */
function readDerived(read: EnvironmentReader, name: 'MAIL_FROM' | 'SECURITY_CONTACT', standard: string): string {
  return read.get(name, standard) ?? standard
}

function readRunAs(read: EnvironmentReader): string | null {
  const runAs = read.get('RUN_AS')
  if (runAs === null || !read.demo) return runAs
  read.problem('RUN_AS', 'is for the real service: the demo runs as whoever starts it')
  return null
}

function readRealtime(read: EnvironmentReader) {
  const settings = {
    port: read.get('REALTIME_PORT'),
    appKey: read.get('REALTIME_APP_KEY'),
    tlsCertFile: read.get('REALTIME_TLS_CERT'),
    tlsKeyFile: read.get('REALTIME_TLS_KEY'),
    publicUrl: read.get('REALTIME_PUBLIC_URL'),
  }
  read.together('REALTIME_TLS_CERT', 'REALTIME_TLS_KEY')
  return settings
}

function readLimits(read: EnvironmentReader) {
  return {
    activationSeconds: read.get('ACTIVATION_SECONDS'),
    earlyCancelSeconds: read.get('EARLY_CANCEL_SECONDS'),
    /**
     * An account may report used numbers without a wait up to a limit in 24 hours. It is the larger of `least` and
     * `percent` of the account's purchases of the service in the country.
     */
    usedReports: {
      least: read.get('USED_FREE'),
      percent: read.get('USED_FREE_PERCENT'),
      inARow: read.get('USED_IN_A_ROW'),
    },
    maxOpenNumbers: read.get('MAX_OPEN_NUMBERS'),
    maxDaySpendMicros: read.inBoth('MAX_DAY_SPEND'),
    staffRefundCapMicros: read.inBoth('STAFF_REFUND_CAP'),
    staffDayCapMicros: {
      support: read.inBoth('STAFF_REFUND_DAY_CAP'),
      operator: read.inBoth('STAFF_REFUND_OPERATOR_DAY_CAP'),
    },
  }
}

function readAlarms(read: EnvironmentReader) {
  const alarmMail = read.get('ALARM_MAIL')
  if (read.has('ALARM_TELEGRAM_CHAT') && !read.has('TELEGRAM_BOT_TOKEN')) {
    read.problem('ALARM_TELEGRAM_CHAT', 'needs the bot: set TELEGRAM_BOT_TOKEN')
  }
  return {
    alarmMail,
    alarmTelegramChat: read.get('ALARM_TELEGRAM_CHAT'),
    alarmWebhook: read.get('ALARM_WEBHOOK'),
    alarmUnmatched: read.get('ALARM_UNMATCHED'),
    alarmStock: read.get('ALARM_STOCK'),
    alarmBalanceMicros: read.inBoth('ALARM_BALANCE'),
    alarmSilenceMinutes: read.get('ALARM_SILENCE_MINUTES'),
  }
}

function readLoyalty(read: EnvironmentReader): LoyaltySettings | null {
  const period = read.get('LOYALTY')
  const timeZone = read.get('LOYALTY_TIME_ZONE')
  const ranks = read.get('LOYALTY_RANKS')
  if (read.has('LOYALTY_RANKS') && period === 'off' && !read.has('LOYALTY')) {
    read.problem('LOYALTY_RANKS', 'has no period: set LOYALTY to week or month, or to off')
  }
  return period === 'off' ? null : { period, timeZone, ranks }
}

function readReferral(read: EnvironmentReader): ReferralSettings {
  const percent = read.get('REFERRAL_PERCENT')
  const of = read.get('REFERRAL_OF')
  const pendingDays = read.get('REFERRAL_PENDING_DAYS')
  const months = read.get('REFERRAL_MONTHS')
  const mostMicros = read.inBoth('REFERRAL_MOST')
  const { rub, usd } = read.inBoth('REFERRAL_LEAST')
  const leastMicros = { rub: rub ?? 0n, usd: usd ?? 0n }
  const networks = read.get('REFERRAL_NETWORKS')
  return { percent: percent === 0 ? null : percent, of, pendingDays, months, mostMicros, leastMicros, networks }
}

function readTelegram(read: EnvironmentReader) {
  const botName = read.get('TELEGRAM_BOT_NAME')
  if (read.has('TELEGRAM_BOT_TOKEN') !== (botName !== null)) {
    read.problem('TELEGRAM_BOT_TOKEN', 'and TELEGRAM_BOT_NAME must be set together')
  }
  const settings = {
    channel: read.get('TELEGRAM_CHANNEL'),
    apiRoot: read.get('TELEGRAM_API_ROOT'),
    updates: read.get('TELEGRAM_UPDATES'),
    /** The minimum ages of an account and its link to a Telegram chat before the reward for subscribing is paid. */
    reward: {
      accountAgeMs: read.get('TELEGRAM_REWARD_ACCOUNT_HOURS') * HOUR,
      linkAgeMs: read.get('TELEGRAM_REWARD_LINK_HOURS') * HOUR,
      needsTopUp: read.get('TELEGRAM_REWARD_NEEDS_TOP_UP') === '1',
    },
  }
  return botName === null ? null : { botName, ...settings }
}

/** The file descriptor of the first socket that systemd passes, see sd_listen_fds(3). */
const FIRST_FD = 3

function readListenFd(read: EnvironmentReader): number | null {
  // The variables LISTEN_PID and LISTEN_FDS may be inherited, and meant for another process.
  if (read.text('LISTEN_PID') !== String(process.pid)) return null
  if (read.text('LISTEN_FDS') !== '1') read.problem('LISTEN_FDS', 'must be 1: PORT alone can be handed over')
  return FIRST_FD
}

/** Reads the secret settings; null means not set. A missing secret key is generated in DATA_DIR later. */
function readSecrets(read: EnvironmentReader) {
  const secretKey = read.get('SECRET_KEY')
  const smtpUrl = read.get('SMTP_URL')
  const previousSecretKeys = read.get('SECRET_KEY_PREVIOUS')
  const providers = readProviders(read)
  const telegramToken = read.get('TELEGRAM_BOT_TOKEN')
  read.together('ALARM_WEBHOOK_SECRET', 'ALARM_WEBHOOK')
  const alarmSecret = read.get('ALARM_WEBHOOK_SECRET')
  return { secretKey, previousSecretKeys, smtpUrl, providers, telegramToken, alarmSecret }
}

/** Reads credentials of sign-in providers; others are not offered. VK's public apps have no secret. */
function readProviders(read: EnvironmentReader): ProviderSecrets {
  const providers: ProviderSecrets = {}
  for (const provider of PROVIDERS) {
    // The cast is needed because TypeScript types the result of toUpperCase as string.
    const name = provider.toUpperCase() as Uppercase<Provider>
    const clientId = read.get(`${name}_CLIENT_ID`)
    const clientSecret = read.get(`${name}_CLIENT_SECRET`)
    if (clientId === null && clientSecret === null) continue
    if (clientId === null || (clientSecret === null && provider !== 'vkontakte')) {
      read.problem(`${name}_CLIENT_ID`, `and ${name}_CLIENT_SECRET must be set together`)
      continue
    }
    providers[provider] = { clientId, clientSecret: clientSecret ?? '', issuer: read.get(`${name}_ISSUER`) }
  }
  return providers
}

export function readDatabaseConfig(environment: Environment = process.env): DatabaseConfig {
  const read = new EnvironmentReader(environment)
  const config = databaseConfig(read)
  read.finish()
  return config
}

export type CommandConfig = DatabaseConfig & {
  /** The largest credit that a command may give without `--yes`; null means no limit. */
  maxCreditMicros: Record<Currency, bigint | null>
  publicUrl: URL | null
}

export function readCommandConfig(environment: Environment = process.env): CommandConfig {
  const read = new EnvironmentReader(environment)
  const maxCreditMicros = read.inBoth('MAX_CREDIT')
  const publicUrl = read.get('PUBLIC_URL')
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
