import { ACCOUNT_SECTIONS } from './account.ts'
import { CHAIN_SECTIONS } from './chains.ts'
import { MONEY_SECTIONS } from './money.ts'
import { NOTIFICATION_SECTIONS } from './notifications.ts'
import { NUMBER_SECTIONS } from './numbers.ts'
import { SECRET, type Section } from './section.ts'
import { SUPPORT_SECTIONS } from './support.ts'

/** In the order of the file. A room adds its tables by a file of its own here. */
export const SECTIONS: readonly Section[] = [
  ...ACCOUNT_SECTIONS,
  ...NUMBER_SECTIONS,
  ...MONEY_SECTIONS,
  ...CHAIN_SECTIONS,
  ...SUPPORT_SECTIONS,
  ...NOTIFICATION_SECTIONS,
]

/** Tables about people that no file has, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  refresh_tokens: SECRET,
  recovery_codes: SECRET,
  pending_logins: SECRET,
  auth_requests: SECRET,
  password_resets: SECRET,
  passkey_challenges: SECRET,
  telegram_links: SECRET,
  sender_matches: 'what messages has, without the words',
  user_hours: 'sums of activations and rentals',
  events: 'the times of activations, rentals and preorders, with the suppliers that were asked',
  gateway_events: 'bytes of payment systems; payments, deposits and reversals have what they say',
  data_export_chunks: 'the file itself',
}
