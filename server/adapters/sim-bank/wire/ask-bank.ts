import { MEBIBYTE, SECOND } from '#contract/time.ts'
import { isRecord } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { parseJson } from '#server/adapters/shared/resold/wire/parse-json.ts'
import {
  askOutside,
  type OutsideAnswer,
  OutsideRefused,
  OutsideUnreached,
} from '#server/house/http/outbound/ask-outside.ts'
import { runYielding } from '#server/house/jobs/run-yielding.ts'
import { parseExact, writeExact } from './exact-json.ts'
import { type Keys, keysOf } from './keys.ts'
import { pack, unpack } from './packed.ts'
import { type Action, BAD_KEY } from './words.ts'

/** `status` is the bank's own text, unchanged. */
export type BankReply = { status: string; error: string; json: Record<string, unknown>; tookMs: number }

/** Thrown if the request was not sent, or if the bank refused it before processing (`answered`). */
export class Unsent extends Error {
  override name = 'Unsent'
  readonly answered: boolean

  constructor(message: string, options: { answered: boolean; cause?: unknown }) {
    super(message, options)
    this.answered = options.answered
  }
}

/** Sends a request to a bank. Throws Unsent if the bank did not process it. Other errors leave the outcome unknown. */
export type AskBank = (
  action: Action,
  fields?: Readonly<Record<string, unknown>>,
  limits?: Limits,
) => Promise<BankReply>

/** The longest time for one request. A late reply is still read, because it names a number to give back. */
export const LONGEST_CALL_MS = 30 * SECOND
/** The maximum size of a reply, packed or not, for GET_SERVICES of 20 countries with 10 operators and 700 services. */
const MOST_BYTES = 2 * MEBIBYTE
const MOST_ERROR_LENGTH = 200
const OK = 200
const TOO_MANY = 429
const TIMED_OUT = 408
/** The pause after a 429: `usual` without Retry-After, and at most `most`. */
const SILENCE_SECONDS = { usual: 10, most: 600 }

type Service = Keys & { url: string; gzip: boolean; privateHost: boolean }
type Surroundings = {
  now: () => Date
  /** Called when the bank refused one key and accepted the other. It has acted twice if it acted despite BAD_KEY. */
  tookOther: (told: { action: Action; status: string; with: 'new' | 'before' }) => void
}
type Limits = { signal?: AbortSignal; timeLimitMs?: number }

/**
 * Creates the function that sends requests. While two keys are valid, the key that the bank accepted last is sent
 * first. After BAD_KEY, which changes nothing, the other key is sent. From then on it comes first, whether or not its
 * reply arrives in time.
 */
export function createAskBank(service: Service, { now, tookOther }: Surroundings): AskBank {
  const askWith = createAskWith(service)
  let known = service.key
  return async (action, fields, limits) => {
    const keys = keysOf(service, now())
    const first = keys.includes(known) ? known : service.key
    const reply = await askWith(first, action, { fields, limits })
    const other = keys.find((key) => key !== first)
    if (other === undefined || !isBadKey(reply)) return reply
    known = other
    const second = await askWith(other, action, { fields, limits })
    if (!isBadKey(second)) tookOther({ action, status: second.status, with: other === service.key ? 'new' : 'before' })
    return second
  }
}

function isBadKey({ status, error }: BankReply): boolean {
  return status !== 'SUCCESS' && [status, error].includes(BAD_KEY)
}

/** Returns true for a status with which a bank refuses a request before processing. */
function wasRefused(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== TIMED_OUT
}

type Asked = { fields: Readonly<Record<string, unknown>> | undefined; limits: Limits | undefined }

function createAskWith({ url, gzip, privateHost }: Service) {
  const privateHosts = privateHost ? [new URL(url).hostname] : []
  let silentUntil = 0
  return async (key: string, action: Action, { fields = {}, limits = {} }: Asked): Promise<BankReply> => {
    const { signal, timeLimitMs = LONGEST_CALL_MS } = limits
    if (performance.now() < silentUntil) {
      throw new Unsent(`${action}: the bank wants no calls for a while`, { answered: true })
    }
    const text = writeExact({ action, key, ...fields })
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'Ringpost',
      ...(gzip && { 'content-encoding': 'gzip' }),
    }
    const body = gzip ? pack(text) : Buffer.from(text)
    const asked = { method: 'POST' as const, url, headers: { ...headers, 'content-length': String(body.length) }, body }
    const began = performance.now()
    const rules = { privateHosts, timeLimitMs, mostBytes: MOST_BYTES, ...(signal && { signal }) }
    const answer = await askOutside(asked, rules).catch((error: unknown) => {
      if (error instanceof OutsideRefused || error instanceof OutsideUnreached) {
        throw new Unsent(`${action}: ${error.message}`, { answered: false, cause: error })
      }
      throw new Error(`${action}: no answer`, { cause: error })
    })
    const tookMs = performance.now() - began
    const { status } = answer
    if (status === TOO_MANY) silentUntil = performance.now() + silenceMs(answer.headers['retry-after'])
    const reply = await readAnswer(action, answer, key)
    if (reply === null) {
      const what = `${action}: the answer (HTTP ${status}) is not JSON with a status`
      throw wasRefused(status) ? new Unsent(what, { answered: true }) : new Error(what)
    }
    // A proxy may have sent this status after the bank has carried out the call.
    if (status !== OK && (reply.status === 'SUCCESS' || !wasRefused(status))) {
      throw new Error(`${action}: ${reply.status} under HTTP ${status}`)
    }
    return { ...reply, tookMs }
  }
}

/**
 * Reads the bank's reply, or returns null if it is not of the protocol. A copy of our key is removed from its texts,
 * because staff and logs show them.
 */
async function readAnswer(
  action: Action,
  { body, headers }: OutsideAnswer,
  key: string,
): Promise<Omit<BankReply, 'tookMs'> | null> {
  if (body.length >= MOST_BYTES) throw new Error(`${action}: the answer is longer than ${MOST_BYTES} bytes`)
  const text = unpack(body, { encoding: headers['content-encoding'], mostBytes: MOST_BYTES })
  // A list of stock has no numbers beyond the range of JavaScript numbers, and may be long.
  const json = action === 'GET_SERVICES' ? await readLong(text) : parseExact(text)
  if (json === null || typeof json.status !== 'string') return null
  const wordsOf = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(key, '…').slice(0, MOST_ERROR_LENGTH).toWellFormed() : ''
  return { status: wordsOf(json.status), error: wordsOf(json.error), json }
}

async function readLong(text: string): Promise<Record<string, unknown> | null> {
  const value = await runYielding(parseJson(text)).catch(() => null)
  return isRecord(value) ? value : null
}

function silenceMs(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter ?? Number.NaN)
  const { usual, most } = SILENCE_SECONDS
  return (seconds > 0 ? Math.min(seconds, most) : usual) * SECOND
}
