import { DIALECTS, dialects } from '#server/adapters/handler-api/wire/dialects.ts'
import type { Random } from '#server/house/clock.ts'
import type { CommandConfig } from '#server/house/config/config.ts'

const KEY_BYTES = 24

/** Kinds of suppliers that deliver messages by HTTP, with the secrets to generate unless typed. */
const MADE: ReadonlyMap<string, readonly string[]> = new Map([
  ['webhook', ['intakeKey']],
  ['sim-bank', ['intakeKey', 'key']],
  ['handler-api', ['intakeKey']],
])

export function withIntakeKey(
  kind: string,
  settings: Record<string, unknown>,
  random: Random,
): Record<string, unknown> {
  const made = takesPosts(kind, settings) ? (MADE.get(kind) ?? []) : []
  return {
    ...Object.fromEntries(made.map((name) => [name, random.bytes(KEY_BYTES).toString('base64url')])),
    ...settings,
  }
}

function takesPosts(kind: string, { dialect }: Record<string, unknown>): boolean {
  const isPushed = DIALECTS.some((name) => name === dialect && dialects[name].bought.pushes)
  return kind === 'handler-api' ? isPushed : MADE.has(kind)
}

/** Returns the secret address to which the supplier sends messages, or null if it sends nothing by HTTP. */
export function intakeAddress(
  { publicUrl }: Pick<CommandConfig, 'publicUrl'>,
  { kind, code, settings }: { kind: string; code: string; settings: Record<string, unknown> },
): string | null {
  const { publicUrl: own, intakeKey } = settings
  // Suppliers of an earlier release may have no `intakeKey`.
  if (!takesPosts(kind, settings) || intakeKey === undefined) return null
  const origin = typeof own === 'string' ? own : (publicUrl?.origin ?? 'https://HOST')
  return `${origin}/intake/${code}/${String(intakeKey)}`
}

const WHERE: Readonly<Record<string, string>> = {
  'android-sms-gateway':
    'SMS Gateway for Android: register it as a webhook of sms:received. The signing key is in Settings, Webhooks.',
  httpsms: 'httpSMS: Settings, Webhooks. Event message.phone.received, and the signing key. Leave encryption off.',
  twilio: 'Twilio: Phone Numbers, the number, "A message comes in": Webhook, HTTP POST.',
  vonage: 'Vonage: the application, Messages, Inbound URL, POST. In the API settings SMS goes to the Messages API.',
  telnyx: 'Telnyx: Messaging, the messaging profile, Inbound, webhook URL; API version 2.',
  generic: 'Your own sender: docs/api/webhook-intake.md has lines for Kannel, smstools and curl.',
}

const PUSHED = 'The service: the settings of your account there, webhook. Codes come without it too, a little later.'

/**
 * Returns a text for the operator: what to enter in the supplier's settings so that the supplier sends us messages.
 * Without a signature, only the secret address authenticates a sender. SIM banks also send their protocol key.
 */
export function whatToEnter(address: string, { format, dialect, key }: Record<string, unknown>): string {
  const first = `Address (a secret, like a password): ${address}`
  // Only suppliers that we buy from have a `dialect`. Their `key` is our own API key there and is never shown.
  if (dialect !== undefined) return [first, PUSHED].join('\n')
  if (typeof key !== 'string') return [first, WHERE[String(format)] ?? ''].join('\n')
  return [first, `Key of the protocol: ${key}`, 'The bank posts PUSH_SMS there: docs/api/sim-bank.md.'].join('\n')
}
