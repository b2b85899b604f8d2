import { ACCOUNT_SECTIONS } from './account.ts'
import { CHAIN_SECTIONS } from './chains.ts'
import { MONEY_SECTIONS } from './money.ts'
import { NOTIFICATION_SECTIONS } from './notifications.ts'
import { NUMBER_SECTIONS } from './numbers.ts'
import { SECRET, type Words } from './reasons.ts'
import type { Section } from './section.ts'
import { SUPPORT_SECTIONS } from './support.ts'

/** All sections in the order of the file. New tables need a section file in this list. */
export const SECTIONS: readonly Section[] = [
  ...ACCOUNT_SECTIONS,
  ...NUMBER_SECTIONS,
  ...MONEY_SECTIONS,
  ...CHAIN_SECTIONS,
  ...SUPPORT_SECTIONS,
  ...NOTIFICATION_SECTIONS,
]

export const LEFT_OUT: Readonly<Record<string, Words>> = {
  refresh_tokens: SECRET,
  recovery_codes: SECRET,
  pending_logins: SECRET,
  auth_requests: SECRET,
  password_resets: SECRET,
  passkey_challenges: SECRET,
  telegram_links: SECRET,
  sender_matches: { ru: 'то же, что messages, без слов', en: 'what messages has, without the words' },
  user_hours: { ru: 'суммы по activations и rentals', en: 'sums of activations and rentals' },
  events: {
    ru: 'времена из activations, rentals и preorders и поставщики, которых спросили',
    en: 'the times of activations, rentals and preorders, with the suppliers that were asked',
  },
  gateway_events: {
    ru: 'байты платёжных систем; что в них сказано, есть в payments, deposits и reversals',
    en: 'bytes of payment systems; payments, deposits and reversals have what they say',
  },
  data_export_chunks: { ru: 'сам этот файл', en: 'the file itself' },
}
