import { LOCALES, type Locale, REALTIME_PORT } from '#contract/constants.ts'
import { CURRENCIES, type Currency } from '#contract/money.ts'

/** A domain people come through: its currency for new accounts, its languages (the first is the default), its indexing. */
export type Zone = { name: string; hosts: string[]; currency: Currency; locales: Locale[]; indexing: boolean }

export type Config = {
  demo: boolean
  host: string
  port: number
  metricsPort: number | null
  publicUrl: URL
  zones: Zone[]
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  trustedProxies: string[]
  databaseUrl: string | null
  dataDir: string
  maxConnections: number
  realtime: { port: number; appKey: string; tlsCertFile: string | null; tlsKeyFile: string | null }
  activationSeconds: number
  earlyCancelSeconds: number
  /** Requests per second for one API key, and the burst it may make. */
  apiRequestsPerSecond: number
  closedPages: string[]
  closedPagesUserIds: number[]
  captchaEnabled: string
  maintenanceMessage: string | null
  messageKeepDays: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Kept apart from Config so that logging a config can never show one. null: made on the spot and kept in DATA_DIR (demo only). */
export type Secrets = {
  secretKey: string | null
  /** Keys that SECRET_KEY replaced: they still open what they sealed. */
  previousSecretKeys: string[]
}

/** Thrown with every problem at once, one line each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Environment = Record<string, string | undefined>

/** Reads the whole configuration. Throws ConfigError that names every bad variable. The only reader of the environment. */
export function readConfig(environment: Environment = process.env): { config: Config; secrets: Secrets } {
  const read = new Reader(environment)
  const demo = read.flag('DEMO')
  const port = read.integer('PORT', 3000, { min: 0, max: 65_535 })
  const host = read.text('HOST', '127.0.0.1')
  const publicUrl = read.url('PUBLIC_URL', `http://localhost:${port}`)
  const locales = read.oneOfList('LOCALES', LOCALES, [...LOCALES])
  const indexing = read.text('INDEXING', demo ? 'noindex' : 'index') === 'index'
  const config: Config = {
    demo,
    host,
    port,
    metricsPort: read.optionalInteger('METRICS_PORT', { min: 0, max: 65_535 }),
    publicUrl,
    zones: readZones(read, { publicUrl, locales, indexing }),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    ...databaseConfig(read),
    realtime: {
      port: read.integer('REALTIME_PORT', REALTIME_PORT, { min: 0, max: 65_535 }),
      appKey: read.text('REALTIME_APP_KEY', 'ringpost'),
      tlsCertFile: read.optionalText('REALTIME_TLS_CERT'),
      tlsKeyFile: read.optionalText('REALTIME_TLS_KEY'),
    },
    activationSeconds: read.integer('ACTIVATION_SECONDS', 1200, { min: 1, max: 86_400 }),
    earlyCancelSeconds: read.integer('EARLY_CANCEL_SECONDS', 120, { min: 0, max: 86_400 }),
    apiRequestsPerSecond: read.integer('API_REQUESTS_PER_SECOND', 100, { min: 1, max: 1_000_000 }),
    closedPages: read.list('CLOSED_PAGES'),
    closedPagesUserIds: read.list('CLOSED_PAGES_USER_IDS').map(Number),
    captchaEnabled: read.text('CAPTCHA_ENABLED', '0'),
    maintenanceMessage: read.optionalText('MAINTENANCE_MESSAGE'),
    messageKeepDays: read.integer('MESSAGE_KEEP_DAYS', 30, { min: 1, max: 3650 }),
    logLevel: read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  }
  const secrets = readSecrets(read)
  checkTogether(read, config, secrets)
  read.finish()
  return { config, secrets }
}

export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'maxConnections'>

/** Where the data is: all that the command line needs, for a demo and for the real service alike. */
export function readDatabaseConfig(environment: Environment = process.env): DatabaseConfig {
  const read = new Reader(environment)
  const config = databaseConfig(read)
  read.finish()
  return config
}

/** The keys alone, for a command that stores something secret. */
export function readSecretKeys(environment: Environment = process.env): Secrets {
  return readSecrets(new Reader(environment))
}

function readSecrets(read: Reader): Secrets {
  return { secretKey: read.optionalText('SECRET_KEY'), previousSecretKeys: read.list('SECRET_KEY_PREVIOUS') }
}

function databaseConfig(read: Reader): DatabaseConfig {
  return {
    databaseUrl: read.optionalText('DATABASE_URL'),
    dataDir: read.text('DATA_DIR', '.data'),
    maxConnections: read.integer('DATABASE_CONNECTIONS', 10, { min: 2, max: 200 }),
  }
}

const SECRET_KEY_MIN_LENGTH = 32
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

function checkTogether(read: Reader, config: Config, secrets: Secrets): void {
  if (secrets.secretKey !== null && secrets.secretKey.length < SECRET_KEY_MIN_LENGTH) {
    read.problem('SECRET_KEY', `must have at least ${SECRET_KEY_MIN_LENGTH} characters`)
  }
  if ((config.realtime.tlsCertFile === null) !== (config.realtime.tlsKeyFile === null)) {
    read.problem('REALTIME_TLS_CERT', 'and REALTIME_TLS_KEY must be set together')
  }
  if (config.closedPagesUserIds.some((id) => !Number.isInteger(id))) {
    read.problem('CLOSED_PAGES_USER_IDS', 'must be user ids separated by commas')
  }
  if (config.demo && !LOOPBACK_HOSTS.includes(config.host)) {
    read.problem('HOST', 'must be a loopback address while DEMO is set: the demo is never open to a network')
  }
  if (config.demo) return
  if (secrets.secretKey === null) read.problem('SECRET_KEY', 'is missing: set a random text of 32 characters or more')
  if (!read.has('PUBLIC_URL')) read.problem('PUBLIC_URL', 'is missing: set the address people open, https://…')
}

function readZones(read: Reader, given: { publicUrl: URL; locales: Locale[]; indexing: boolean }): Zone[] {
  const text = read.optionalText('ZONES')
  const standard: Zone = {
    name: 'ru',
    hosts: [given.publicUrl.hostname],
    currency: 'rub',
    locales: given.locales,
    indexing: given.indexing,
  }
  if (text === null) return [standard]
  try {
    const zones = (JSON.parse(text) as unknown[]).map((entry) => parseZone(entry, given))
    if (zones.length === 0) throw new Error('it is empty')
    return zones
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    read.problem('ZONES', `must be a JSON list of {"name","hosts","currency","locales"}: ${why}`)
    return [standard]
  }
}

function parseZone(entry: unknown, given: { locales: Locale[]; indexing: boolean }): Zone {
  if (typeof entry !== 'object' || entry === null) throw new Error('an entry is not an object')
  const { name, hosts, currency, locales, indexing } = entry as Record<string, unknown>
  if (typeof name !== 'string' || !/^[a-z0-9-]{1,20}$/.test(name)) throw new Error('name is not a short word')
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string')) throw new Error('hosts is not a list')
  const known = CURRENCIES.find((one) => one === currency)
  if (known === undefined) throw new Error(`currency is none of ${CURRENCIES.join(', ')}`)
  const wanted: unknown[] = Array.isArray(locales) ? locales : given.locales
  const chosen = wanted.map((one) => LOCALES.find((locale) => locale === one))
  if (chosen.length === 0 || chosen.includes(undefined)) throw new Error(`locales must be of ${LOCALES.join(', ')}`)
  return {
    name,
    hosts,
    currency: known,
    locales: chosen.filter((locale) => locale !== undefined),
    indexing: typeof indexing === 'boolean' ? indexing : given.indexing,
  }
}

/** Reads variables by type and remembers what was wrong with them, so that all faults are told at once. */
class Reader {
  private readonly environment: Environment
  private readonly problems: string[] = []

  constructor(environment: Environment) {
    this.environment = environment
  }

  problem(name: string, text: string): void {
    this.problems.push(`${name} ${text}`)
  }

  has(name: string): boolean {
    return this.optionalText(name) !== null
  }

  optionalText(name: string): string | null {
    const value = this.environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  text(name: string, standard: string): string {
    return this.optionalText(name) ?? standard
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['0', '1', 'true', 'false'], '0').replace('true', '1') === '1'
  }

  list(name: string): string[] {
    const text = this.optionalText(name)
    return text === null
      ? []
      : text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], standard: NoInfer<T>): T {
    const text = this.optionalText(name)
    if (text === null) return standard
    const found = allowed.find((one) => one === text)
    if (found === undefined) this.problem(name, `must be one of ${allowed.join(', ')}`)
    return found ?? standard
  }

  oneOfList<const T extends string>(name: string, allowed: readonly T[], standard: T[]): T[] {
    const parts = this.list(name)
    if (parts.length === 0) return standard
    const found = parts.map((part) => allowed.find((one) => one === part)).filter((one) => one !== undefined)
    if (found.length !== parts.length) this.problem(name, `must be a list of ${allowed.join(', ')}`)
    return found.length === 0 ? standard : found
  }

  optionalInteger(name: string, bounds: { min: number; max: number }): number | null {
    const text = this.optionalText(name)
    if (text === null) return null
    const value = Number(text)
    if (Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value
    this.problem(name, `must be a whole number from ${bounds.min} to ${bounds.max}`)
    return bounds.min
  }

  integer(name: string, standard: number, bounds: { min: number; max: number }): number {
    return this.optionalInteger(name, bounds) ?? standard
  }

  url(name: string, standard: string): URL {
    const text = this.text(name, standard)
    if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
    this.problem(name, 'must be an address that begins with http:// or https://')
    return new URL(standard)
  }

  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems.join('\n'))
  }
}
