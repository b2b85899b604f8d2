import { isReceiptText, RECEIPT } from '#server/adapters/shared/incoming/receipt-text.ts'
import { findDestination, readDestination } from '#server/adapters/shared/own-numbers/destination.ts'
import { sellOwnNumbers } from '#server/adapters/shared/own-numbers/own-numbers.ts'
import { findSimPhone } from '#server/adapters/shared/own-numbers/sims/queries.ts'
import { startRotation } from '#server/adapters/shared/own-numbers/sims/rotate-sims.ts'
import type { Intake, IntakeReading, Supplier, SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { androidSmsGateway } from './formats/android-sms-gateway.ts'
import type { Format, SentSms } from './formats/format.ts'
import { generic } from './formats/generic.ts'
import { httpSms } from './formats/httpsms.ts'
import { telnyx } from './formats/telnyx.ts'
import { twilio } from './formats/twilio.ts'
import { vonage } from './formats/vonage.ts'
import { testIntake } from './intake-findings.ts'
import { parseWebhookSettings, type WebhookSettings } from './settings.ts'

/**
 * Sells our own numbers with messages by HTTP (docs/api/webhook-intake.md). Throws an error with all wrong settings.
 */
export function createWebhookSupplier(ctx: Context, row: SupplierRow): Supplier {
  const settings = parseWebhookSettings(row.code, row.settings)
  const { id, code } = row
  let turning: { stop(): Promise<void> } | null = null
  return {
    id,
    code,
    async start({ receives = true } = {}) {
      if (receives) turning ??= startRotation(ctx, { supplierId: id, rules: settings.sims })
    },
    async stop() {
      const stopping = turning
      turning = null
      await stopping?.stop()
    },
    ...sellOwnNumbers(ctx, id, settings),
    intake: takeIn(ctx, id, settings),
    test: () => testIntake(ctx.db, id),
  }
}

function formatOf(settings: WebhookSettings): Format {
  switch (settings.format) {
    case 'android-sms-gateway':
      return androidSmsGateway(settings)
    case 'httpsms':
      return httpSms(settings)
    case 'twilio':
      return twilio(settings)
    case 'vonage':
      return vonage(settings)
    case 'telnyx':
      return telnyx(settings)
    case 'generic':
      return generic(settings)
    default:
      return settings satisfies never
  }
}

function takeIn(ctx: Context, supplierId: number, settings: WebhookSettings): Intake {
  const format = formatOf(settings)
  return {
    key: settings.intakeKey,
    answer: format.answer,
    verify: (request) => format.verify(request),
    async read(request) {
      const reading = format.read(request)
      if (reading.outcome !== 'sms') return reading
      if (isReceiptText(reading.sms.text)) return RECEIPT
      const phone = await phoneOf(ctx, supplierId, reading.sms)
      if (phone === null) return { outcome: 'unread', reason: unknownCard(reading.sms) }
      return { outcome: 'messages', messages: [toIncoming(reading.sms, { ...request, phone })] } satisfies IntakeReading
    },
  }
}

/**
 * Returns the number to which a message came. The SIM card in the slot decides first, because phones often name their
 * number wrongly.
 */
async function phoneOf(ctx: Context, supplierId: number, sms: SentSms): Promise<string | null> {
  const { device, slot } = sms
  // No SIM card has a name with NUL, which PostgreSQL refuses.
  const isName = device !== null && !device.includes('\0') && slot?.includes('\0') !== true
  const card = isName ? await findSimPhone(ctx.db, { supplierId, device, slot }) : null
  if (card !== null) return card
  const named = readDestination(sms.phone ?? '')
  return named.phone === '' ? null : findDestination(ctx.db, { ...named, supplierId })
}

function unknownCard({ device, slot }: SentSms): string {
  if (device === null) return 'it names no number'
  return `it names no number, and no card is known of the device ${device.slice(0, 64)}, slot ${slot?.slice(0, 16) ?? 'unknown'}`
}

function toIncoming(
  { id, waitedMs, byContent, phone: _phone, device: _device, slot: _slot, ...words }: SentSms,
  { phone, requestId, receivedAt }: { phone: string; requestId: bigint; receivedAt: Date },
): Extract<IntakeReading, { outcome: 'messages' }>['messages'][number] {
  const waits = waitedMs > 0 ? { cameAt: new Date(receivedAt.getTime() - waitedMs) } : {}
  // If the sender gives no message id, the stored request's id serves as one, so a request read twice is one message.
  const known = id === null ? { messageId: `intake-${requestId}`, byContent: true } : { messageId: id, byContent }
  return { ...known, phone, ...words, ...waits }
}
