import { formatPhone } from '#contract/formats/phone-format.ts'
import { formatMoney } from '#contract/money.ts'
import type { NotificationWords } from './words-of.ts'

export const english: NotificationWords = {
  'payment-credited': ({ amount, currency }) => ({
    title: `${formatMoney(amount, currency, 'en')} credited`,
    text: 'The money is on your balance.',
  }),
  'payment-disputed': ({ amount, currency }) => ({
    title: `A payment of ${formatMoney(amount, currency, 'en')} is disputed`,
    text: 'The bank took the money back until the dispute is decided. If it is a mistake, withdraw it at your bank.',
  }),
  'balance-low': ({ limit, currency }) => ({
    title: `Your balance is below ${formatMoney(limit, currency, 'en')}`,
    text: 'Top it up so that buying does not stop.',
  }),
  'rental-ending': ({ phone, countryId }, names) => ({
    title: `The rental of ${formatPhone(phone, names.dial(countryId))} ends soon`,
    text: 'The number is switched off then and cannot be had back. You can still extend it.',
  }),
  'preorder-bought': ({ serviceCode, countryId }, names) => ({
    title: `Your pre-order was bought: ${names.service(serviceCode)}`,
    text: `${names.country(countryId)}. The number waits for its message.`,
  }),
  'preorder-ended': ({ serviceCode, countryId, state }, names) => ({
    title: `Your pre-order has ended: ${names.service(serviceCode)}`,
    text:
      state === 'expired'
        ? `${names.country(countryId)}. No number turned up in time, and the money is back on your balance.`
        : `${names.country(countryId)}. The balance had too little to wait on.`,
  }),
  'ticket-answer': ({ subject }) => ({
    title: 'Support has answered',
    text: subject,
  }),
  'favorite-price': ({ serviceCode, price, currency }, names) => ({
    title: `${names.service(serviceCode)} from ${formatMoney(price, currency, 'en')}`,
    text: 'The price of a favorite has come down to your limit.',
  }),
  'new-device': ({ device, address }) => ({
    title: 'Login from a new device',
    text: `${device}, ${address}. If it was not you, end this session and change your password.`,
  }),
  news: ({ en }) => en,
}
