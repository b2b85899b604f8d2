import { expect, test } from 'vitest'
import { parseSmppSettings } from './settings.ts'

const server = {
  mode: 'server',
  currency: 'rub',
  services: [{ code: 'tg', cost: '0.35', costByCountry: { '0': '1.000001' } }],
  listen: { port: 2775 },
  peers: [{ systemId: 'bank1', password: 'topsecret' }],
}

test('amounts are read into millionths, and what is left out has its default', () => {
  expect(parseSmppSettings('own', server)).toMatchObject({
    services: [{ code: 'tg', cost: 350_000n, costByCountry: { '0': 1_000_001n } }],
    listen: { host: '127.0.0.1', port: 2775 },
    defaultAlphabet: 'gsm7',
    partsWaitSeconds: 120,
  })
})

test('one error names every bad field, and no secret', () => {
  const bad = {
    ...server,
    services: [{ code: 'tg', cost: '-1' }],
    listen: { port: 99_999 },
    peers: [{ systemId: 'bank1', password: 'topsecret', passwordHash: 'scrypt:00:00' }],
  }
  expect(() => parseSmppSettings('own', bad)).toThrow(
    /"own".*services\.0\.cost: must be an amount.*listen\.port.*peers\.0: needs either password or passwordHash/,
  )
  expect(() => parseSmppSettings('own', bad)).not.toThrow(/topsecret/)
  expect(() => parseSmppSettings('own', { mode: 'client' })).toThrow(/hosts.*systemId.*password/)
  expect(() => parseSmppSettings('own', { ...server, passwrod: 'x' })).toThrow(/passwrod/)
  expect(() => parseSmppSettings('own', { mode: 'modem' })).toThrow(/mode/)
})

test('what is rented out has a cost for each period, by its hours', () => {
  const rent = [{ code: 'full', cost: { '24': '3', '1440': '90.5' }, costByCountry: { '0': { '24': '4' } } }]
  expect(parseSmppSettings('own', { ...server, rent }).rent).toEqual([
    {
      code: 'full',
      cost: { '24': 3_000_000n, '1440': 90_500_000n },
      costByCountry: { '0': { '24': 4_000_000n } },
    },
  ])
  expect(parseSmppSettings('own', server).rent).toEqual([])
  const bad = {
    services: [{ code: 'full', cost: '1' }],
    rent: [
      { code: 'full', cost: { '25': '1' } },
      { code: 'tg', cost: { '24': 1 }, costByCountry: { '0': { '4': 'x' } } },
      { code: 'wa', cost: {}, costByCountry: { '0': { '024': '1' } } },
      { code: 'vk' },
    ],
  }
  expect(() => parseSmppSettings('own', { ...server, ...bad })).toThrow(
    new RegExp(
      [
        'services.0.code: is rented, not activated',
        'rent.0.cost: has hours other than 4, 24, 72',
        'rent.1.cost.24: .*rent.1.costByCountry.0.4: must be an amount',
        'rent.2.costByCountry.0: has hours other than 4, 24, 72',
        'rent.3.cost: ',
      ].join('.*'),
    ),
  )
  const twice = [{ code: 'tg', cost: {} }]
  expect(() => parseSmppSettings('own', { ...server, rent: [...twice, ...twice] })).toThrow(
    /rent: names a service twice/,
  )
})

test.each([
  [{ cert: '-----BEGIN CERTIFICATE-----' }],
  [{ certFile: '/c.pem' }],
  [{ certFile: '/c.pem', keyFile: '/k.pem', clientCa: '-----BEGIN CERTIFICATE-----' }],
  [{}],
])('the TLS of a listener is texts or files, whole and never both: %j', (tls) => {
  expect(() => parseSmppSettings('own', { ...server, tls })).toThrow(
    /tls: needs either cert and key or certFile and keyFile/,
  )
})
