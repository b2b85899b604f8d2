import type { Random } from '#server/clock.ts'
import type { CommandConfig } from '#server/config/config.ts'

const KEY_BYTES = 24

/** The part of the address that nobody guesses is made here, unless it was typed. */
export function withIntakeKey(
  kind: string,
  settings: Record<string, unknown>,
  random: Random,
): Record<string, unknown> {
  if (kind !== 'webhook' || settings.intakeKey !== undefined) return settings
  return { ...settings, intakeKey: random.bytes(KEY_BYTES).toString('base64url') }
}

/** Null: nothing comes in by HTTP. */
export function intakeAddress(
  { publicUrl }: Pick<CommandConfig, 'publicUrl'>,
  { kind, code, settings }: { kind: string; code: string; settings: Record<string, unknown> },
): string | null {
  if (kind !== 'webhook') return null
  const { publicUrl: own, intakeKey } = settings
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

/** A sender without a signature is known by the address alone. */
export function whatToEnter(address: string, { format }: Record<string, unknown>): string {
  return [`Address (a secret, like a password): ${address}`, WHERE[String(format)] ?? ''].join('\n')
}
