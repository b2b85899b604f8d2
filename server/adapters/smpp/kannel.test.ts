import { expect, test } from 'vitest'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { startKannel } from '#test/fakes/smpp/smpp-kannel.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { createSmppSupplier } from './smpp-supplier.ts'

const bearerbox = requireProgram('bearerbox')
const smsbox = requireProgram('smsbox')
const programs = bearerbox !== undefined && smsbox !== undefined ? { bearerbox, smsbox } : undefined

function createServer({ ctx, supplierId, receive }: SmppHouse) {
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [],
    listen: { port: 0 },
    peers: [{ systemId: 'kannel', password: 'secret' }],
  }
  return createSmppSupplier(ctx, { id: supplierId, code: 'own-range', kind: 'smpp', settings }, receive)
}

async function connectKannel(house: SmppHouse, port: number | null) {
  if (programs === undefined || port === null) throw new Error('Kannel or the port is missing')
  const kannel = await startKannel({ programs, port, systemId: 'kannel', password: 'secret', retrySeconds: 1 })
  await house.logged('an SMPP gateway bound')
  return kannel
}

function cyrillic(parts: number): string {
  return Array.from({ length: parts }, (_, index) => `часть ${index + 1} `.padEnd(67, 'абвгдежз')).join('')
}

test.skipIf(programs === undefined)('Kannel hands us whole texts, each exactly once', { timeout: 60_000 }, async () => {
  await using house = await createSmppHouse()
  const supplier = createServer(house)
  await supplier.start()
  {
    await using kannel = await connectKannel(house, supplier.port)
    const texts: [string, 'gsm' | 'unicode'][] = [
      ['Ваш код: 123-456', 'unicode'],
      [cyrillic(3), 'unicode'],
      [cyrillic(10), 'unicode'],
      [`${'😀'.repeat(100)} код 55`, 'unicode'],
      ['Code {42} [x] ~ ^ | \\ €, @£ÄÖñ', 'gsm'],
      ['€{}'.repeat(120), 'gsm'],
    ]
    for (const [text, coding] of texts) await kannel.sendSms({ from: '900', to: '79000000001', text, coding })
    const received = await house.receivedAll(texts.length)
    expect(received.map((sms) => sms.text).sort()).toEqual(texts.map(([text]) => text).sort())
    expect(received.map(({ phone, sender }) => [phone, sender])).toEqual(texts.map(() => ['79000000001', '900']))
  }
  await supplier.stop()
  expect(house.received).toHaveLength(6)
})

test.skipIf(programs === undefined)(
  'what we could not store Kannel sends again, and only then is it acknowledged',
  { timeout: 60_000 },
  async () => {
    await using house = await createSmppHouse()
    const supplier = createServer(house)
    await supplier.start()
    {
      await using kannel = await connectKannel(house, supplier.port)
      house.failIntake(2)
      await kannel.sendSms({ from: '900', to: '79000000001', text: 'Code 1', coding: 'gsm' })
      await kannel.sendSms({ from: '900', to: '79000000002', text: cyrillic(2), coding: 'unicode' })
      const received = await house.receivedAll(2)
      expect(received.map((sms) => sms.text).sort()).toEqual(['Code 1', cyrillic(2)].sort())
      expect(house.calls).toHaveLength(4)
    }
    await supplier.stop()
  },
)
