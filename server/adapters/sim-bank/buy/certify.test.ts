import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { systemRandom } from '#server/house/clock.ts'
import type { BankHouse } from '#test/fakes/sim-bank/bank-house.ts'
import { bankSettings, type OpenBank, openBank } from '#test/fakes/sim-bank/open-bank.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { runTests } from '../certify/run-tests.ts'
import { createBank } from './bank.ts'

/** `sms` is how the bank reacts to the message that a person sends during the test. */
async function certify(t: TestApp, bank: OpenBank, sms: (phone: number) => Promise<unknown>): Promise<string[]> {
  const { id, code } = bank.supplier
  const row = { id, code, kind: 'sim-bank', settings: bankSettings(bank.house.url) }
  let sent: Promise<unknown> = Promise.resolve()
  const findings = await runTests(createBank(t.ctx, row), {
    random: systemRandom,
    service: undefined,
    countryId: undefined,
    numbers: 2,
    smsWaitMs: 10 * SECOND,
    againWaitMs: 100,
    quietMs: 50,
    pollMs: 5,
    askForSms: (phone) => {
      sent = sms(Number(phone))
    },
  })
  await sent
  return findings.map(({ test: number, passed, detail }) => `${number} ${passed} ${detail}`)
}

const AGAIN = { http: 200, said: '{"status":"ERROR","error":"TRY_AGAIN"}' }
const SUCCESS = { http: 200, said: '{"status":"SUCCESS"}' }

test('a bank that keeps the protocol passes all ten tests, has its numbers back, and its message is nobody’s', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const lines = await certify(t, bank, async (phone) => {
    expect(await bank.push({ smsId: 7, phone })).toEqual(AGAIN)
    t.clock.advance(10 * SECOND)
    expect(await bank.push({ smsId: 7, phone })).toEqual(SUCCESS)
  })
  expect(lines.filter((line) => !line.includes(' true '))).toEqual([])
  expect(lines).toHaveLength(10)
  expect(lines[5]).toBe('6 true number, activationId, smsId and phone are numbers')
  expect(bank.house.sold.every(({ told }) => told.join() === '4,4')).toBe(true)
  expect(bank.house.complaints).toEqual([])
  const { rows } = await t.ctx.db.query({ text: 'SELECT FROM messages UNION ALL SELECT FROM intake_requests' })
  expect(rows).toEqual([])
  await t.hurryJobs()
  expect(bank.house.sold.every(({ told }) => told.length === 2)).toBe(true)
})

type Fault = [what: string, failed: string, spoil: (house: BankHouse) => void]
const faults: Fault[] = [
  [
    'says ERROR to a repeated end',
    '1 false ERROR ended before to the second of 355',
    (house) => {
      house.onAsk = (action, body, honest) =>
        action === 'FINISH_ACTIVATION' &&
        house.sold.some((each) => each.activationId === body.activationId && each.told.length > 0)
          ? { status: 'ERROR', error: 'ended before' }
          : honest()
    },
  ],
  [
    'gives a number that is held',
    '2 false 77010000001 was given a second time',
    (house) => {
      let calls = 0
      house.onAsk = (action, { activationId }, honest) => {
        if (activationId === 999) return { status: 'SUCCESS' }
        if (action !== 'GET_NUMBER') return undefined
        calls += 1
        return calls === 4 ? { number: 77010000001, activationId: 999, status: 'SUCCESS' } : honest()
      }
    },
  ],
  [
    'writes numbers as text',
    '6 false number or activationId is a text',
    (house) => {
      house.onAsk = (action, _body, honest) => {
        const answer = honest()
        return action === 'GET_NUMBER' && answer.number !== undefined
          ? { ...answer, number: String(answer.number) }
          : answer
      }
    },
  ],
  [
    'leaves the country code out',
    '7 false 9010000001 of +7',
    (house) => (house.free = [9010000001, 9010000002, 9010000003]),
  ],
  [
    'declares more than it has',
    '9 false 100 declared, 2 asked for, 1 given',
    (house) => {
      house.free = [77010000001]
      house.declared = 100
    },
  ],
  [
    'heeds no prefixes',
    '10 false 77010000003 was given without 7701000',
    (house) => {
      house.onAsk = (action, body, honest) => {
        if (action === 'GET_NUMBER') delete body.exceptionPhoneSet
        return honest()
      }
    },
  ],
]

test.each(faults)('a bank that %s fails by its name', async (_what, failed, spoil) => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  spoil(bank.house)
  const lines = await certify(t, bank, async (phone) => {
    await bank.push({ smsId: 7, phone })
    t.clock.advance(10 * SECOND)
    await bank.push({ smsId: 7, phone })
  })
  expect(lines).toContain(failed)
  expect(lines.filter((line) => line.includes(' false '))).toHaveLength(1)
})

test('pushes that come late, never again, too often or as text fail by their names', async () => {
  await using t = await startTestApp()
  await using bank = await openBank(t)
  const never = await certify(t, bank, async (phone) => bank.push({ smsId: 1, phone }))
  expect(never[3]).toBe('4 false it did not come again')
  const soon = await certify(t, bank, async (phone) => {
    for (const smsId of ['2', '2', '2']) await bank.push({ smsId, phone })
  })
  expect(soon.slice(3, 6)).toEqual([
    '4 false after 0 s',
    '5 false 1 times in 0.05 s',
    '6 false smsId or phone of PUSH_SMS is a text',
  ])
})
