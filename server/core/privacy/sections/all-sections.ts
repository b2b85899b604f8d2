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
  sender_matches: { ru: 'то же, что в messages, но без текста', en: 'the same facts as in messages, without the text' },
  user_hours: { ru: 'итоги по activations и rentals', en: 'totals of activations and rentals' },
  events: {
    ru: 'время из activations, rentals и preorders, а также поставщики, которых мы спрашивали',
    en: 'the times of activations, rentals and pre-orders, and the suppliers we asked',
  },
  gateway_events: {
    ru: 'исходные данные платёжных систем; их содержание есть в payments, deposits и reversals',
    en: 'raw data from payment services; the files of top-ups, received money and refunds contain the same facts',
  },
  data_export_chunks: { ru: 'сам этот файл', en: 'this file itself' },
}
