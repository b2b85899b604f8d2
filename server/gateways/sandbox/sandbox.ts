import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/gateways/system-settings.ts'
import type { Gateway, GatewayContext, GatewayRow, PaymentFacts, ReadEvent } from '../gateway.ts'
import { addRefund, type Deed, findSandboxPayment, insertSandboxPayment, play, type SandboxPayment } from './queries.ts'

const LIMITS = {
  rub: { minMicros: 10_000_000n, maxMicros: 100_000_000_000n },
  usd: { minMicros: 100_000n, maxMicros: 1_000_000_000n },
}

const settingsSchema = z.strictObject({ systems: systemsSchema, secret: z.string().min(1).default('sandbox') })

export const SIGNATURE_HEADER = 'sandbox-signature'
/** Where the payer of the demo does what he would do at a bank. */
export const SANDBOX_PATH = '/sandbox/payments'

/** Play money, for the demo alone. `play` credits at once; `sandbox` leads to a page where everything can go wrong. */
export function createSandbox(ctx: GatewayContext, row: GatewayRow): Sandbox {
  const settings = readSettings(settingsSchema, row.settings)
  const systems = describeSystems(row.code, settings.systems, [
    {
      suffix: 'play',
      form: 'instant',
      mark: 'play',
      names: { en: 'Play money at once', ru: 'Игровые деньги сразу' },
      limits: LIMITS,
      minutes: 0,
      lifetimeMs: MINUTE,
      isCard: false,
    },
    {
      suffix: '',
      form: 'redirect',
      mark: 'sandbox',
      names: { en: 'Sandbox card', ru: 'Учебная карта' },
      limits: LIMITS,
      minutes: 1,
      lifetimeMs: 20 * MINUTE,
      isCard: false,
    },
  ])
  const playKey = systems[0]?.key
  return {
    id: row.id,
    code: row.code,
    systems,
    async begin(order) {
      const isPlay = order.system === playKey
      const id = `sb_${createHmac('sha256', settings.secret).update(order.transactionId).digest('hex').slice(0, 24)}`
      await insertSandboxPayment(ctx.db, { ...order, id, isPaid: isPlay, now: ctx.clock.now() })
      if (isPlay) return { outcome: 'begun', providerId: id, guidance: { form: 'instant' } }
      const url = new URL(`${SANDBOX_PATH}/${id}`, order.returnUrl).href
      return { outcome: 'begun', providerId: id, guidance: { form: 'redirect', url } }
    },
    async fetch({ transactionId }) {
      const found = await findSandboxPayment(ctx.db, { transactionId })
      return found === null ? null : factsOf(found)
    },
    async refund({ reference, payment, amountMicros }) {
      const providerId = `re_${reference}`
      await addRefund(ctx.db, { transactionId: payment.transactionId, providerId, amountMicros })
      return { outcome: 'done', providerId }
    },
    readEvent: ({ headers, body }) => readSigned(settings.secret, headers[SIGNATURE_HEADER], body),
    find: (id) => findSandboxPayment(ctx.db, { id }),
    async play(id, deed) {
      const number = await play(ctx.db, { id, deed })
      if (number === null) return null
      const body = Buffer.from(JSON.stringify({ event: `${id}-${number}`, payment: id }))
      return { body, headers: { [SIGNATURE_HEADER]: sign(settings.secret, body) } }
    },
  }
}

/** What the page of the demo needs besides. `play` returns the event to send, or null when the deed does not fit. */
export type Sandbox = Gateway & {
  find(id: string): Promise<SandboxPayment | null>
  play(id: string, deed: Deed): Promise<{ body: Buffer; headers: Record<string, string> } | null>
}

export function isSandbox(gateway: Gateway): gateway is Sandbox {
  return 'play' in gateway
}

function factsOf(found: SandboxPayment): PaymentFacts {
  return {
    progress: found.state,
    deposits: found.deposits.map(({ id, micros }) => ({ providerId: id, amountMicros: BigInt(micros) })),
    reversals: found.reversals.map(({ id, kind, micros, state }) => ({
      ...{ kind, state, providerId: id },
      amountMicros: BigInt(micros),
    })),
  }
}

function sign(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

const eventSchema = z.object({ event: z.string().min(1).max(100), payment: z.string().min(1).max(100) })

function readSigned(secret: string, signature: string | undefined, body: Buffer): ReadEvent | null {
  const [given, due] = [Buffer.from(signature ?? ''), Buffer.from(sign(secret, body))]
  if (given.length !== due.length || !timingSafeEqual(given, due)) return null
  const { event, payment } = eventSchema.parse(JSON.parse(body.toString('utf8')))
  return { eventId: event, providerId: payment }
}
