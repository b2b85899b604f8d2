import { EventEmitter, once } from 'node:events'
import { SECOND } from '#contract/time.ts'
import type { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import type { IncomingSms } from '#server/core/suppliers/supplier.ts'
import { readConfig } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import { Pool } from '#server/house/db/pool.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { createTestClock } from '#test/harness/test-clock.ts'

type LogLine = { level: string; message: string; fields: Record<string, unknown> }

/** The service as an SMPP supplier sees it: a real database, a test clock, and an intake that records messages. */
export type SmppHouse = AsyncDisposable & {
  ctx: Context
  receive: typeof receiveSms
  /** The id of the supplier's row. Its numbers may be of the countries 0 (Russia) and 6. */
  supplierId: number
  advance(seconds: number): void
  /** The messages that the intake accepted, each once by its message id. */
  received: IncomingSms[]
  calls: IncomingSms[]
  failIntake(times: number): void
  /** Holds back the intake's answers until the returned function is called. */
  holdIntake(): () => void
  receivedAll(count: number): Promise<IncomingSms[]>
  called(count: number): Promise<void>
  logged(message: string, count?: number): Promise<LogLine[]>
}

export async function createSmppHouse(): Promise<SmppHouse> {
  const database = await createTestDatabase()
  const db = new Pool({
    connectionString: database.connectionString,
    maxConnections: 10,
    applicationName: 'smpp test',
    log: quietLog,
  })
  const events = new EventEmitter().setMaxListeners(0)
  const lines: LogLine[] = []
  const received: IncomingSms[] = []
  const calls: IncomingSms[] = []
  let failures = 0
  let gate = Promise.resolve()

  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await once(events, 'change')
  }
  const write = (level: string) => (fields: unknown, message?: unknown) => {
    // The log is always called with the fields first and then the sentence.
    lines.push({ level, message: String(message), fields: fields as Record<string, unknown> })
    events.emit('change')
  }
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const clock = createTestClock()
  const { config } = readConfig({ DEMO: '1', PORT: '0', REALTIME_PORT: '0' })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough' }, pool: db, log, clock })
  await loadSenders(ctx)
  const receive: typeof receiveSms = async (_ctx, sms) => {
    checkSms(sms)
    calls.push(sms)
    events.emit('change')
    await gate
    if (failures > 0) {
      failures -= 1
      throw new Error('the intake is down')
    }
    const isRepeat = sms.messageId !== null && received.some((known) => known.messageId === sms.messageId)
    if (!isRepeat) received.push(sms)
    events.emit('change')
    return 'taken'
  }
  return {
    ctx,
    receive,
    supplierId: await insertSupplier(db),
    advance: (seconds) => clock.advance(seconds * SECOND),
    received,
    calls,
    failIntake: (times) => {
      failures = times
    },
    holdIntake: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    receivedAll: async (count) => {
      await until(() => received.length >= count)
      return received
    },
    called: (count) => until(() => calls.length >= count),
    logged: async (message, count = 1) => {
      const matching = () => lines.filter((line) => line.message === message)
      await until(() => matching().length >= count)
      return matching()
    },
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Throws if PostgreSQL or the intake would not accept the message. */
function checkSms({ phone, text }: IncomingSms): void {
  if (!/^\d{1,20}$/.test(phone)) throw new Error(`the phone "${phone}" is not digits`)
  if (text.includes('\0') || !text.isWellFormed()) throw new Error('the text cannot be stored')
}

async function insertSupplier(db: Pool): Promise<number> {
  await db.query({
    text: `INSERT INTO countries (id, name_en, name_ru, iso2, dial, position, visible, retry, rent, multi)
      SELECT id, 'Country ' || id, 'Страна ' || id, 'xx', '7', id, true, true, true, true
      FROM unnest(ARRAY[0, 6]) AS country (id) ON CONFLICT DO NOTHING`,
  })
  const { rows } = await db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('own-range', 'smpp', '2026-01-01') RETURNING id`,
  })
  const [row] = rows
  if (row === undefined) throw new Error('the supplier was not inserted')
  return row.id
}
