import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const SERVICE = { SECRET_KEY: 'a secret of 32 characters or more', PUBLIC_URL: 'https://ringpost.example' }

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

test('without anything set, both missing variables are named at once', () => {
  expect(problemsOf({})).toEqual([
    'SECRET_KEY is missing: set a random text of 32 characters or more',
    'PUBLIC_URL is missing: set the address people open, https://…',
  ])
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
    { name: 'ru', hosts: ['localhost'], currency: 'rub', locales: ['ru', 'en'], indexing: false },
  ])
  expect(secrets).toMatchObject({ secretKey: null })
  expect(problemsOf({ DEMO: '1', HOST: '0.0.0.0' })).toEqual([
    'HOST must be a loopback address while DEMO is set: the demo is never open to a network',
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

test('zones give hosts, currencies, languages and indexing', () => {
  const ZONES = JSON.stringify([
    { name: 'ru', hosts: ['ringpost.ru', 'www.ringpost.ru'], currency: 'rub' },
    { name: 'com', hosts: ['ringpost.example'], currency: 'usd', locales: ['en'], indexing: false },
  ])
  const { config } = readConfig({ ...SERVICE, ZONES, INDEXING: 'index' })
  expect(config.zones).toEqual([
    { name: 'ru', hosts: ['ringpost.ru', 'www.ringpost.ru'], currency: 'rub', locales: ['ru', 'en'], indexing: true },
    { name: 'com', hosts: ['ringpost.example'], currency: 'usd', locales: ['en'], indexing: false },
  ])
})

test('a configuration never holds the secret', () => {
  const { config, secrets } = readConfig(SERVICE)
  expect(JSON.stringify(config)).not.toContain(SERVICE.SECRET_KEY)
  expect(secrets.secretKey).toBe(SERVICE.SECRET_KEY)
})
