import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { TELEGRAM_TOKEN } from '#test/fakes/telegram/telegram-house.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'

const SERVICE = {
  DATABASE_URL: 'postgres://ringpost@127.0.0.1/ringpost',
  SECRET_KEY: 'a secret of 32 characters or more',
  PUBLIC_URL: 'https://ringpost.example',
  SMTP_URL: 'smtp://mail.example',
}

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

test('drafts of languages are offered only by name', () => {
  const localesOf = (environment = {}) => readConfig({ DEMO: '1', ...environment }).config.zones[0]?.locales
  expect([localesOf(), localesOf({ LOCALES: 'en,es' })]).toEqual([
    ['ru', 'en'],
    ['en', 'es'],
  ])
})

test('without anything set, every missing variable is named at once', () => {
  const [database, ...lines] = problemsOf({})
  expect(database).toMatch(/^DATABASE_URL is missing: set the address of a database .* PostgreSQL 15 or later/)
  expect(lines.filter((line) => line.startsWith('    ')).map((line) => line.trim())).toEqual([
    'sudo -u postgres createuser --pwprompt ringpost',
    expect.stringMatching(/^sudo -u postgres createdb --owner=ringpost .*--locale=C.UTF-8 ringpost$/),
  ])
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    'SECRET_KEY is missing: set a random text of 32 characters or more',
    'SMTP_URL is missing: people register by a code that is mailed',
    'PUBLIC_URL is missing: set the address people open, https://…',
  ])
})

// Regression test: the welcome page and the mails named different hosts, so links in mails opened without the cookies.
test('a demo is opened where it listens, and has the mail of nobody', () => {
  const addressOf = (more: object) => {
    const { config } = readConfig({ DEMO: '1', ...more })
    return [config.publicUrl.origin, config.contactEmail, config.mailFrom]
  }
  const mail = ['support@ringpost.example', 'Ringpost <no-reply@ringpost.example>']
  expect(addressOf({})).toEqual(['http://localhost:3000', ...mail])
  expect(addressOf({ HOST: '::1', PORT: '8080' })).toEqual(['http://localhost:8080', ...mail])
  expect(addressOf({ HOST: 'localhost' })).toEqual(['http://localhost:3000', ...mail])
  const own = readConfig({ DEMO: '1', PUBLIC_URL: 'https://ringpost.test' }).config
  expect([own.publicUrl.origin, own.contactEmail]).toEqual(['https://ringpost.test', 'support@ringpost.test'])
})

test('live sockets have an address without a path, and TLS files in pairs', () => {
  expect(problemsOf({ ...SERVICE, REALTIME_PUBLIC_URL: 'https://live.example', REALTIME_TLS_KEY: 'key.pem' })).toEqual([
    'REALTIME_PUBLIC_URL must be where live sockets are, without a path: wss://live.example.org',
    'REALTIME_TLS_CERT and REALTIME_TLS_KEY must be set together',
  ])
  const { config } = readConfig({ ...SERVICE, REALTIME_PUBLIC_URL: 'wss://live.example:444' })
  expect(config.realtime.publicUrl?.origin).toBe('wss://live.example:444')
})

test('a social sign-in is set up whole or not at all, and a mail server has an address', () => {
  expect(problemsOf({ ...SERVICE, GOOGLE_CLIENT_ID: 'id', SMTP_URL: 'mail.example' })).toEqual([
    'SMTP_URL must be an address that begins with smtp:// or smtps://',
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together',
  ])
  const { secrets } = readConfig({ ...SERVICE, TELEGRAM_CLIENT_ID: 'id', TELEGRAM_CLIENT_SECRET: 'secret' })
  expect(secrets.providers).toEqual({ telegram: { clientId: 'id', clientSecret: 'secret', issuer: null } })
})

test('an address of the mail server that cannot be read is not repeated: it holds a password', () => {
  expect(problemsOf({ ...SERVICE, SMTP_URL: 'smtp://user:password@mail.example:port' })).toEqual([
    'SMTP_URL must be an address that begins with smtp:// or smtps://',
  ])
})

test('every flaw of the two addresses of the database is named, and no password', () => {
  const bad = {
    DATABASE_URL: 'postgres://ringpost:hidden@a:5432,b:port,?target_session_attrs=standby',
    DATABASE_DIRECT_URL: 'mysql://ringpost:hidden@a/ringpost',
    DATABASE_PREPARED_STATEMENTS: 'no',
  }
  expect(problemsOf({ ...SERVICE, ...bad })).toEqual([
    'DATABASE_URL must have HOST or HOST:PORT as host 2; escape / ? # @ in the password',
    'DATABASE_URL must have HOST or HOST:PORT as host 3; escape / ? # @ in the password',
    'DATABASE_URL names no database: end it with /ringpost',
    'DATABASE_URL must have target_session_attrs=read-write or =primary, or leave it out: the service writes',
    'DATABASE_DIRECT_URL must begin with postgres:// or postgresql://',
    'DATABASE_PREPARED_STATEMENTS must be one of on, off',
  ])
  expect(problemsOf({ ...SERVICE, DATABASE_URL: 'postgres://a,b,c,d,e,f/ringpost' })).toEqual([
    'DATABASE_URL has 6 hosts, and 5 are the most',
  ])
  expect(problemsOf({ DEMO: '1', DATABASE_DIRECT_URL: 'postgres://a/ringpost' })).toEqual([
    'DATABASE_DIRECT_URL goes past the pooler of DATABASE_URL: set that one, too',
  ])
  expect(problemsOf({ DEMO: '1', DATABASE_REPLICA_URL: 'postgres://a/ringpost' })).toEqual([
    'DATABASE_REPLICA_URL names a stand-by of DATABASE_URL: set that one, too',
  ])
})

test.each([
  'postgres://ringpost:p%40ss@a:5432,[::1]:5433,c/ringpost?target_session_attrs=read-write',
  'postgresql://ringpost@%2Frun%2Fpostgresql/ringpost',
  'postgres:///ringpost?host=/run/postgresql',
  'postgres://ringpost:p@ss@127.0.0.1/ringpost?sslmode=verify-full',
])('%s is an address of a database', (address) => {
  expect(readConfig({ ...SERVICE, DATABASE_URL: address }).config.databaseUrl).toBe(address)
})

// Regression test for O-14: a registration required no captcha unless the operator had turned captchas on.
test('the riddle is asked for outside the demo, unless it is turned off', () => {
  const asked = (more: Record<string, string>) => readConfig({ ...SERVICE, ...more }).config.captchaEnabled
  expect([asked({}), asked({ CAPTCHA_ENABLED: '0' }), asked({ DEMO: '1' })]).toEqual(['2', '0', '0'])
})

test('doors: metrics stay on this machine, a demo becomes nobody, holes are reported to an address', () => {
  const { config } = readConfig(SERVICE)
  expect(config).toMatchObject({
    metricsHost: '127.0.0.1',
    securityContact: 'mailto:support@ringpost.example',
    runAs: null,
  })
  expect(problemsOf({ DEMO: '1', RUN_AS: 'nobody', SECURITY_CONTACT: 'somebody' })).toEqual([
    'SECURITY_CONTACT must begin with mailto: or https://',
    'RUN_AS is for the real service: the demo runs as whoever starts it',
  ])
})

test('mails have one sender', () => {
  const read = (sender: string) => readConfig({ ...SERVICE, MAIL_FROM: sender }).config.mailFrom
  expect(readConfig(SERVICE).config.mailFrom).toBe('Ringpost <no-reply@ringpost.example>')
  for (const sender of ['no-reply@example.org', 'Номера <no-reply@example.org>']) expect(read(sender)).toBe(sender)
  for (const sender of ['Ringpost', 'a@example.org, b@example.org', 'Ringpost <no-reply>', 'a@b@c <a@example.org>']) {
    expect(problemsOf({ ...SERVICE, MAIL_FROM: sender })).toEqual([
      'MAIL_FROM must be one address, with or without a name: Ringpost <no-reply@example.org>',
    ])
  }
})

test('a provider has an address that nobody listens in on, and a public app of VK has no secret', () => {
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  for (const issuer of ['http://accounts.example', 'accounts.example', 'ftp://127.0.0.1', 'https://']) {
    expect(problemsOf({ ...SERVICE, ...google, GOOGLE_ISSUER: issuer })).toEqual([
      'GOOGLE_ISSUER must be an address that begins with https:// (http:// on this machine alone)',
    ])
  }
  for (const issuer of ['https://accounts.example', 'http://127.0.0.1:9000', 'http://localhost', 'http://[::1]:1']) {
    const { secrets } = readConfig({ ...SERVICE, ...google, GOOGLE_ISSUER: issuer, VKONTAKTE_CLIENT_ID: '5' })
    expect(secrets.providers).toEqual({
      google: { clientId: 'id', clientSecret: 'secret', issuer },
      vkontakte: { clientId: '5', clientSecret: '', issuer: null },
    })
  }
  expect(problemsOf({ ...SERVICE, VKONTAKTE_CLIENT_SECRET: 'token' })).toEqual([
    'VKONTAKTE_CLIENT_ID and VKONTAKTE_CLIENT_SECRET must be set together',
  ])
})

test('rules for campaigns are read in order, and a bad one is named', () => {
  const read = (text: string) => readConfig({ ...SERVICE, MARKETING_ACTIONS: text }).config.marketingActions
  expect(readConfig(SERVICE).config.marketingActions).toEqual([])
  expect(read('[{"utm_source":"tg","action":"show-register-modal"},{"action":"show-login-modal"}]')).toEqual([
    { utm: { utm_source: 'tg' }, action: 'show-register-modal' },
    { utm: {}, action: 'show-login-modal' },
  ])
  const bad = ['{', '{}', 'null', '[{"utm_source":"tg"}]', '[{"action":"show-all"}]', '[{"action":null}]']
  const wrong = ['[{"source":"tg","action":"show-login-modal"}]', '[{"utm_source":1,"action":"show-login-modal"}]']
  for (const text of [...bad, ...wrong]) {
    expect(problemsOf({ ...SERVICE, MARKETING_ACTIONS: text })).toEqual([
      expect.stringMatching(/^MARKETING_ACTIONS must be a JSON list of \{"utm_…","action"\}: \S/),
    ])
  }
})

test('the demo needs nothing, and stays on this machine', () => {
  const { config, secrets } = readConfig({ DEMO: '1' })
  expect(config).toMatchObject({
    demo: true,
    host: '127.0.0.1',
    port: 3000,
    realtime: { port: 6001, appKey: 'ringpost' },
  })
  expect(config.zones).toEqual([
    {
      name: 'ru',
      hosts: ['localhost'],
      currency: 'rub',
      locales: ['ru', 'en'],
      indexing: false,
      systems: null,
      defaultSystem: null,
    },
  ])
  expect(secrets).toMatchObject({ secretKey: null })
  expect(problemsOf({ DEMO: '1', HOST: '0.0.0.0' })).toEqual([
    'HOST must be a loopback address while DEMO is set: the demo is never open to a network',
  ])
})

test('limits of an account are a thousand open numbers and no spending, unless told otherwise', () => {
  const limitsOf = (more: Record<string, string>) => {
    const { maxOpenNumbers, maxDaySpendMicros } = readConfig({ DEMO: '1', ...more }).config
    return [maxOpenNumbers, maxDaySpendMicros]
  }
  expect(limitsOf({})).toEqual([1000, { rub: null, usd: null }])
  expect(limitsOf({ MAX_OPEN_NUMBERS: 'none', MAX_DAY_SPEND_RUB: '5000.50', MAX_DAY_SPEND_USD: 'none' })).toEqual([
    null,
    { rub: 5_000_500_000n, usd: null },
  ])
})

test('every bad variable is named, each on a line of its own, and no value is shown', () => {
  const bad = {
    ...SERVICE,
    DEMO: 'maybe',
    PORT: '70000',
    METRICS_PORT: 'metrics',
    REALTIME_PORT: '-1',
    DATABASE_CONNECTIONS: '1.5',
    ACTIVATION_SECONDS: '0',
    EARLY_CANCEL_SECONDS: '1e9',
    API_REQUESTS_PER_SECOND: 'many',
    MAX_OPEN_NUMBERS: '0',
    MAX_DAY_SPEND_RUB: '5e3',
    MAX_DAY_SPEND_USD: '-5',
    MESSAGE_KEEP_DAYS: '',
    LOG_LEVEL: 'loud',
    LOCALES: 'ru,de',
    PUBLIC_URL: 'ftp://ringpost.example',
    REALTIME_TLS_CERT: '/tmp/cert.pem',
    CLOSED_PAGES_USER_IDS: '1,two',
    SECRET_KEY: 'hunter2',
  }
  const problems = problemsOf(bad)
  expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual([
    'ACTIVATION_SECONDS',
    'API_REQUESTS_PER_SECOND',
    'CLOSED_PAGES_USER_IDS',
    'DATABASE_CONNECTIONS',
    'DEMO',
    'EARLY_CANCEL_SECONDS',
    'LOCALES',
    'LOG_LEVEL',
    'MAX_DAY_SPEND_RUB',
    'MAX_DAY_SPEND_USD',
    'MAX_OPEN_NUMBERS',
    'METRICS_PORT',
    'PORT',
    'PUBLIC_URL',
    'REALTIME_PORT',
    'REALTIME_TLS_CERT',
    'SECRET_KEY',
  ])
  expect(problems.join('\n')).not.toContain('hunter2')
})

test.each([
  ['not JSON', '{'],
  ['an empty list', '[]'],
  ['no list', '{"name":"ru"}'],
  ['a bad name', '[{"name":"RU!","hosts":[],"currency":"rub"}]'],
  ['no hosts', '[{"name":"ru","currency":"rub"}]'],
  ['a currency of its own', '[{"name":"ru","hosts":[],"currency":"eur"}]'],
  ['an unknown language', '[{"name":"ru","hosts":[],"currency":"rub","locales":["fr"]}]'],
  ['no language', '[{"name":"ru","hosts":[],"currency":"rub","locales":[]}]'],
])('ZONES with %s is refused by name', (_what, ZONES) => {
  const problems = problemsOf({ ...SERVICE, ZONES })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^ZONES must be a JSON list of \{"name","hosts","currency","locales"\}: /)
})

test('zones give hosts, currencies, languages, indexing and ways to pay', () => {
  const ZONES = JSON.stringify([
    { name: 'ru', hosts: ['ringpost.ru', 'www.ringpost.ru'], currency: 'rub' },
    {
      name: 'com',
      hosts: ['ringpost.example'],
      currency: 'usd',
      locales: ['en'],
      indexing: false,
      systems: ['usdt', 'card'],
      default_system: 'card',
    },
  ])
  const { config } = readConfig({ ...SERVICE, ZONES, INDEXING: 'index' })
  expect(config.zones).toEqual([
    {
      name: 'ru',
      hosts: ['ringpost.ru', 'www.ringpost.ru'],
      currency: 'rub',
      locales: ['ru', 'en'],
      indexing: true,
      systems: null,
      defaultSystem: null,
    },
    {
      name: 'com',
      hosts: ['ringpost.example'],
      currency: 'usd',
      locales: ['en'],
      indexing: false,
      systems: ['usdt', 'card'],
      defaultSystem: 'card',
    },
  ])
})

test('a configuration never holds the secret', () => {
  const { config, secrets } = readConfig(SERVICE)
  expect(inspect(config, { depth: Infinity })).not.toContain(SERVICE.SECRET_KEY)
  expect(secrets.secretKey).toBe(SERVICE.SECRET_KEY)
})

test('a bot has a token and a name, and its calls go out by TLS, because they hold the token', () => {
  const bot = { TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_BOT_NAME: '@ringpost_bot' }
  const { config, secrets } = readConfig({ ...SERVICE, ...bot, TELEGRAM_CHANNEL: '@ringpost_news' })
  expect(config.telegram).toEqual({
    botName: 'ringpost_bot',
    channel: 'ringpost_news',
    apiRoot: 'https://api.telegram.org',
    updates: 'polling',
    reward: { accountAgeMs: 0, linkAgeMs: 86_400_000, needsTopUp: true },
  })
  expect(secrets.telegramToken).toBe(TELEGRAM_TOKEN)
  expect(inspect(config)).not.toContain(TELEGRAM_TOKEN)
  expect(readConfig(SERVICE).config.telegram).toBeNull()
  expect(
    problemsOf({ ...SERVICE, TELEGRAM_BOT_TOKEN: 'secret:words', TELEGRAM_API_ROOT: 'http://api.example' }),
  ).toEqual([
    'TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_NAME must be set together',
    'TELEGRAM_API_ROOT must begin with https:// (http:// on this machine alone)',
    'TELEGRAM_BOT_TOKEN must be a token as @BotFather gives it: 123456:ABC…',
  ])
})
