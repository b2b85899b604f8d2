import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE, SECOND } from '#contract/time.ts'
import { type Bank, slugsOf } from '#server/adapters/sim-bank/buy/bank.ts'
import { askServices, readLines } from '#server/adapters/sim-bank/buy/list-stock.ts'
import { listCountries } from '#server/adapters/sim-bank/buy/queries/names.ts'
import { beginTrial, endTrial, listTrialPushes, type TrialPush } from '#server/adapters/sim-bank/buy/queries/trials.ts'
import type { Random } from '#server/house/clock.ts'
import { type Finding, Findings } from './findings.ts'
import { giveBack, type Pair, type Taken, takeNumber } from './take-numbers.ts'

const FASTEST_MS = 3 * SECOND
const PREFIX_LENGTH = 7
const NUMERIC_PUSH = 'number, activationId, smsId and phone are numbers'
/** The allowed delay of a repeated push. The protocol wants 10 seconds; clocks and network need tolerance. */
const AGAIN_MS = { least: 8 * SECOND, most: 15 * SECOND }
const TRIAL_MS = 10 * MINUTE

export type CertifyOptions = {
  random: Random
  /** The service to test. Undefined means the first service that the bank has. */
  service: string | undefined
  countryId: number | undefined
  /** The count of numbers to request, at most as many as the bank declares. */
  numbers: number
  /** The wait for the SMS that a person sends. 0 skips the test of messages. */
  smsWaitMs: number
  /** The wait for a push that should be repeated. `quietMs` is that for a push that should not. */
  againWaitMs: number
  quietMs: number
  pollMs: number
  askForSms(phone: string): void
}

type Trial = { bank: Bank; options: CertifyOptions; findings: Findings; held: Taken[] }

/** Tests a bank: takes numbers and gives all back with status 4. Buyers see nothing of the test. */
export async function runTests(bank: Bank, options: CertifyOptions): Promise<Finding[]> {
  const trial: Trial = { bank, options, findings: new Findings(), held: [] }
  let why = 'not reached'
  try {
    const { pair, count } = await choosePair(trial)
    await takeAll(trial, pair, count)
    await tryPrefixes(trial, pair)
    await trySms(trial)
    await tryHeld(trial, pair)
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
  }
  await giveAllBack(trial)
  return trial.findings.list(why)
}

async function choosePair({ bank, options, findings }: Trial): Promise<{ pair: Pair; count: number }> {
  const lines = readLines(await askServices(bank, AbortSignal.timeout(MINUTE)))
  const broken = lines.filter(({ count }) => count === null)
  findings.note(6, broken.length === 0, `${broken.length} counts are no whole numbers`)
  const slugs = await slugsOf(bank)
  for (const { country, operator, service, count } of lines) {
    const countryId = slugs.find(country)
    const serviceCode = bank.settings.services.find(({ code, theirs = code }) => theirs === service)?.code
    if (countryId === undefined || serviceCode === undefined || count === null || count === 0) continue
    if ((options.countryId ?? countryId) !== countryId || (options.service ?? serviceCode) !== serviceCode) continue
    return { pair: { country, operator, service, countryId, serviceCode }, count }
  }
  const wanted = options.service === undefined ? 'a service of the settings' : options.service
  const place = options.countryId === undefined ? '' : ` in country ${options.countryId}`
  throw new Error(`GET_SERVICES has no number of ${wanted}${place}`)
}

async function takeAll(trial: Trial, pair: Pair, count: number): Promise<void> {
  const wanted = Math.min(count, trial.options.numbers)
  for (let taken = 0; taken < wanted; taken += 1) {
    const number = await takeNumber(trial.bank, pair, trial.options)
    const told = `${count} declared, ${wanted} asked for, ${taken + (number === null ? 0 : 1)} given`
    trial.findings.note(9, number !== null, told)
    if (number === null) break
    await judge(trial, pair, number)
  }
  if (trial.held.length === 0) throw new Error('no number was given')
}

async function judge({ bank, findings, held }: Trial, { countryId }: Pair, number: Taken): Promise<void> {
  held.push(number)
  const { phone, numeric, tookMs } = number
  const dial = (await listCountries(bank.ctx.db)).find(({ id }) => id === countryId)?.dial ?? ''
  findings.note(6, numeric, numeric ? 'number and activationId are numbers' : 'number or activationId is a text')
  findings.note(7, phone.startsWith(dial) && phone.length > dial.length + 4, `${phone} of +${dial}`)
  findings.note(8, tookMs <= FASTEST_MS, `${Math.round(tookMs)} ms`)
}

async function tryPrefixes(trial: Trial, pair: Pair): Promise<void> {
  const prefix = trial.held[0]?.phone.slice(0, PREFIX_LENGTH) ?? ''
  const number = await takeNumber(trial.bank, pair, { ...trial.options, excluded: [prefix] })
  if (number === null) return trial.findings.note(10, true, `NO_NUMBERS without ${prefix}`)
  trial.held.push(number)
  trial.findings.note(10, !number.phone.startsWith(prefix), `${number.phone} was given without ${prefix}`)
}

/** Tests the delivery of a message. The first push is refused and the second accepted, so a third would be wrong. */
async function trySms({ bank, options, findings, held }: Trial): Promise<void> {
  const { ctx, supplierId } = bank
  const phone = held[0]?.phone ?? ''
  if (options.smsWaitMs === 0) return findings.leaveOut([3, 4, 5], 'left out, as was asked for')
  const key = { supplierId, phone }
  const beganAt = ctx.clock.now()
  await beginTrial(ctx.db, { ...key, refused: 1, until: new Date(beganAt.getTime() + TRIAL_MS) })
  const pushesUntil = (count: number, limitMs: number) =>
    waitForPushes(bank, { ...key, count, limitMs, pollMs: options.pollMs })
  try {
    options.askForSms(phone)
    const [first] = await pushesUntil(1, options.smsWaitMs)
    if (first === undefined) return findings.note(3, false, `none came within ${options.smsWaitMs / SECOND} s`)
    findings.note(3, true, `${seconds(beganAt, first.at)} s after the number was shown`)
    const [, second] = await pushesUntil(2, options.againWaitMs)
    if (second === undefined) return findings.note(4, false, 'it did not come again')
    const pause = second.at.getTime() - first.at.getTime()
    const isSame = second.smsId === first.smsId
    findings.note(
      4,
      isSame && pause >= AGAIN_MS.least && pause <= AGAIN_MS.most,
      `after ${pause / SECOND} s${isSame ? '' : ', under another smsId'}`,
    )
    const all = await pushesUntil(Infinity, options.quietMs)
    const repeats = all.slice(2).filter(({ smsId }) => smsId === second.smsId)
    findings.note(5, repeats.length === 0, `${repeats.length} times in ${options.quietMs / SECOND} s`)
    const isNumeric = all.every(({ numeric }) => numeric)
    findings.note(6, isNumeric, isNumeric ? NUMERIC_PUSH : 'smsId or phone of PUSH_SMS is a text')
  } finally {
    await endTrial(ctx.db, key)
  }
}

async function waitForPushes(
  { ctx }: Bank,
  {
    count,
    limitMs,
    pollMs,
    ...key
  }: { supplierId: number; phone: string; count: number; limitMs: number; pollMs: number },
): Promise<TrialPush[]> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const pushes = await listTrialPushes(ctx.db, key)
    if (pushes.length >= count || performance.now() >= deadline) return pushes
    await wait(pollMs)
  }
}

/** Tests that the bank gives no number again that the test still holds. */
async function tryHeld(trial: Trial, pair: Pair): Promise<void> {
  const before = trial.held.map(({ phone }) => phone)
  const number = await takeNumber(trial.bank, pair, trial.options)
  if (number !== null) trial.held.push(number)
  const isAgain = number !== null && before.includes(number.phone)
  trial.findings.note(2, !isAgain, isAgain ? `${number.phone} was given a second time` : 'no number was given twice')
}

async function giveAllBack({ bank, findings, held }: Trial): Promise<void> {
  for (const number of held) {
    for (const time of ['the first', 'the second']) {
      const said = await giveBack(bank, number).catch((error: unknown) => String(error))
      const test = time === 'the first' ? 2 : 1
      if (said !== 'SUCCESS') findings.note(test, false, `${said} to ${time} of ${number.activationId}`)
      else if (test === 1) findings.note(1, true, `SUCCESS twice to ${number.activationId}`)
    }
  }
}

function seconds(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / SECOND
}
