import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Locale } from '#contract/constants.ts'
import { toDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type {
  Gateway,
  GatewayRow,
  PaymentFacts,
  PaymentOrder,
  ReadEvent,
  TransferGuidance,
} from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import {
  addRefund,
  CONFIRMATIONS_NEEDED,
  type Deed,
  findSandboxPayment,
  insertSandboxPayment,
  play,
  type SandboxPayment,
} from './queries.ts'

const LIMITS = {
  rub: { minMicros: 10_000_000n, maxMicros: 100_000_000_000n },
  usd: { minMicros: 100_000n, maxMicros: 1_000_000_000n },
}

const settingsSchema = z.strictObject({ systems: systemsSchema, secret: z.string().min(1).default('sandbox') })

const NETWORK: Record<Locale, string> = { en: 'Sandbox', ru: 'Тестовая' }

const REFUND = 're_'
export const SIGNATURE_HEADER = 'sandbox-signature'
export const SANDBOX_PATH = '/sandbox/payments'

/**
 * Accepts play money, only in the demo. The payment method `play` credits at once. `sandbox` leads to a page where
 * everything can go wrong. `coin` is a transfer to an address, which that page confirms.
 */
export function createSandbox(ctx: Context, row: GatewayRow): Sandbox {
  const settings = readSettings(settingsSchema, row.settings)
  const systems = describeSystems(row.code, settings.systems, [
    {
      suffix: 'play',
      form: 'instant',
      mark: 'play',
      names: { en: 'Instant play money', ru: 'Тестовые деньги сразу' },
      limits: LIMITS,
      minutes: 0,
      lifetimeMs: MINUTE,
      isCard: false,
    },
    {
      suffix: '',
      form: 'redirect',
      mark: 'sandbox',
      names: { en: 'Sandbox card', ru: 'Тестовая карта' },
      limits: LIMITS,
      minutes: 1,
      lifetimeMs: 20 * MINUTE,
      isCard: false,
    },
    {
      suffix: 'coin',
      form: 'transfer',
      mark: 'coin',
      names: { en: 'Sandbox coin', ru: 'Тестовая монета' },
      limits: LIMITS,
      minutes: 3,
      lifetimeMs: 20 * MINUTE,
      isCard: false,
    },
  ])
  const [playKey, , coinKey] = systems.map(({ key }) => key)
  return {
    id: row.id,
    code: row.code,
    systems,
    async begin(order) {
      const [isPlay, isTransfer] = [order.system === playKey, order.system === coinKey]
      const id = `sb_${createHmac('sha256', settings.secret).update(order.transactionId).digest('hex').slice(0, 24)}`
      await insertSandboxPayment(ctx.db, { ...order, id, isPaid: isPlay, isTransfer, now: ctx.clock.now() })
      if (isPlay) return { outcome: 'begun', providerId: id, guidance: { form: 'instant' } }
      const url = new URL(`${SANDBOX_PATH}/${id}`, order.returnUrl).href
      const guidance = isTransfer ? transferTo(id, url, order) : ({ form: 'redirect', url } as const)
      return { outcome: 'begun', providerId: id, guidance }
    },
    async fetch({ transactionId }) {
      const found = await findSandboxPayment(ctx.db, { transactionId })
      return found === null ? null : factsOf(found)
    },
    async refund({ reference, payment, amountMicros }) {
      const providerId = `${REFUND}${reference}`
      await addRefund(ctx.db, { transactionId: payment.transactionId, providerId, amountMicros })
      return { outcome: 'done', providerId }
    },
    async findRefund({ reference, payment }) {
      const providerId = `${REFUND}${reference}`
      const found = await findSandboxPayment(ctx.db, { transactionId: payment.transactionId })
      return found?.reversals.some(({ id }) => id === providerId) === true ? { outcome: 'done', providerId } : null
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

/** Adds functions for the sandbox page. `play` returns the event to send, or null if the click is impossible now. */
export type Sandbox = Gateway & {
  find(id: string): Promise<SandboxPayment | null>
  play(id: string, deed: Deed): Promise<{ body: Buffer; headers: Record<string, string> } | null>
}

export function isSandbox(gateway: Gateway): gateway is Sandbox {
  return 'play' in gateway
}

/**
 * Makes the guidance for a transfer, in which a coin is one unit of the payer's currency. The QR code leads to the page
 * that stands in for a wallet.
 */
function transferTo(id: string, url: string, { amountMicros, currency, locale }: PaymentOrder): TransferGuidance {
  const address = `play1${createHmac('sha256', 'address').update(id).digest('hex').slice(0, 38)}`
  const amount = toDecimal(amountMicros)
  return {
    form: 'transfer',
    address,
    network: NETWORK[locale],
    asset: `PLAY-${currency.toUpperCase()}`,
    amount,
    uri: url,
    url,
  }
}

function factsOf(found: SandboxPayment): PaymentFacts {
  const { confirmations } = found
  return {
    progress: found.state,
    ...(found.state === 'confirming' &&
      confirmations !== null && { confirmations: { seen: confirmations, needed: CONFIRMATIONS_NEEDED } }),
    deposits: found.deposits.map(({ id, micros }) => ({ providerId: id, amountMicros: BigInt(micros) })),
    reversals: found.reversals.map(({ id, kind, micros, state }) => ({
      kind,
      state,
      providerId: id,
      amountMicros: BigInt(micros),
      ...(kind === 'refund' && { reference: id.slice(REFUND.length) }),
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
