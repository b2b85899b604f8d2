/** Runs the real service as a process. Its only supplier lives in the parent process, and so survives a kill. */

import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import type { Offer, Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import { readConfig } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import type { Log } from '#server/house/log.ts'
import { buildContext } from '#server/programs/boot/build-context.ts'
import { supplierKinds } from '#server/programs/boot/kinds/supplier-kinds.ts'
import { startServer } from '#server/programs/boot/start.ts'
import type { Answer, FromProcess, Question, ToProcess } from './scripted-wire.ts'

const OFFER: Offer = {
  serviceCode: 'tg',
  countryId: 2,
  operator: 'altel',
  costMicros: 10_000_000n,
  currency: 'rub',
  stock: 1_000_000,
}

let calls = 0
const asked = new Map<number, (message: Exclude<ToProcess, { kind: 'sms' }>) => void>()

function send(message: FromProcess): void {
  process.send?.(message)
}

function ask<Expected extends Answer>(question: Question): Promise<Expected> {
  calls += 1
  const call = calls
  return new Promise((resolve, reject) => {
    asked.set(call, (message) => {
      asked.delete(call)
      if (message.kind === 'answer') resolve(message.answer as Expected)
      else reject(new Error(message.reason))
    })
    send({ kind: 'ask', call, question })
  })
}

function createScripted(ctx: Context, row: SupplierRow): Supplier {
  const take = ({ messageId, phone, text }: { messageId: string; phone: string; text: string }): void => {
    receiveSms(ctx, { supplierId: row.id, messageId, phone, sender: 'Telegram', text }).then(
      () => send({ kind: 'acknowledged', messageId }),
      (error: unknown) => send({ kind: 'refused', messageId, reason: String(error) }),
    )
  }
  return {
    id: row.id,
    code: row.code,
    async start() {
      process.on('message', (message: ToProcess) => {
        if (message.kind === 'sms') take(message.sms)
        else asked.get(message.call)?.(message)
      })
      send({ kind: 'connected' })
    },
    stop: async () => undefined,
    listOffers: async () => [OFFER],
    buy: (order) => ask({ method: 'buy', order }),
    find: (reference) => ask({ method: 'find', reference }),
    askAgain: (number) => ask({ method: 'askAgain', number }),
    async end(number, ending) {
      await ask({ method: 'end', number, ending })
    },
  }
}

const write = (level: string) => (fields: unknown, sentence?: string) => {
  process.stdout.write(`${level} ${sentence ?? ''} ${describe(fields)}\n`)
}

function describe(fields: unknown): string {
  return JSON.stringify(fields, (_key, value: unknown) => {
    if (value instanceof Error) return value.stack
    return typeof value === 'bigint' ? value.toString() : value
  })
}

const log: Log = { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') }
const { config, secrets } = readConfig()
const { pool } = await openDatabase({ config, log, applicationName: 'scripted' })
supplierKinds.scripted = createScripted
const server = await startServer(buildContext({ config, secrets: { secretKey: secrets.secretKey ?? '' }, pool, log }))
send({ kind: 'ready', url: server.url })
