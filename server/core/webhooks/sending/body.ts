import { toDecimal } from '#contract/money.ts'
import { HOUR } from '#contract/time.ts'
import type { WebhookForm } from '#contract/webhooks/webhook.ts'
import type { Told } from '#server/core/webhooks/queries/deliveries.ts'

/** Clients of the form `field` read times without an offset as Moscow time. */
const FIELD_OFFSET_MS = 3 * HOUR

export function webhookIdOf(id: bigint): string {
  return `evt_${id}`
}

/** Returns the body of a delivery, equal at each try unless the texts of its message were deleted in between. */
export function bodyOf(form: WebhookForm, told: Told): string {
  if (form === 'standard') return JSON.stringify(standardBody(told))
  return JSON.stringify({ ...fieldBody(told), ...(told.sandbox && { sandbox: true }) })
}

function standardBody({ event, at, details, sandbox, ...told }: Told) {
  const data = Object.entries(details).map(([name, value]) => {
    if (name === 'price_micros' || name === 'amount_micros') return [name.replace('_micros', ''), decimalOf(value)]
    if (name === 'expires_at' && typeof value === 'string') return [name, new Date(value).toISOString()]
    return [name, value]
  })
  return {
    type: event,
    timestamp: at.toISOString(),
    data: { ...Object.fromEntries(data), ...messageOf(told), ...(sandbox && { sandbox }) },
  }
}

function messageOf({
  message_id: id,
  sender,
  text,
  code,
  received_at: at,
}: Omit<Told, 'event' | 'at' | 'details' | 'sandbox'>) {
  if (id === null) return {}
  return { message: { id: Number(id), sender, text, code, received_at: at?.toISOString() ?? null } }
}

function decimalOf(value: unknown): unknown {
  return typeof value === 'string' ? toDecimal(BigInt(value)) : value
}

/**
 * Returns a body in the format of SMS-Activate. A test has an invented message, because the format has nothing else.
 */
function fieldBody({ event, details, text, code, received_at: receivedAt, at, sender }: Told) {
  const date = fieldTime(receivedAt ?? at)
  if (event === 'test') return { ...TEST_OF_FIELD, receivedAt: date }
  if (details.order === 'rental') {
    return { rentId: String(details.id), sms: { phoneFrom: sender, text, date } }
  }
  return {
    activationId: details.id,
    service: details.service_id,
    text,
    code: code ?? '',
    country: details.country_id,
    receivedAt: date,
  }
}

const TEST_OF_FIELD = { activationId: 0, service: 'ot', text: 'Test 12345', code: '12345', country: 0 }

function fieldTime(at: Date): string {
  return new Date(at.getTime() + FIELD_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}
