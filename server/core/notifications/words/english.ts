import { formatPhone } from '#contract/formats/phone-format.ts'
import { type Currency, formatMoney, toDecimal } from '#contract/money.ts'
import { type NotificationWords, someOf } from './language.ts'

export const english: NotificationWords = {
  'payment-credited': ({ amountMicros, currency }) => ({
    title: `${money(amountMicros, currency)} credited`,
    text: 'The money is on your balance.',
  }),
  'payment-disputed': ({ amountMicros, currency }) => ({
    title: `Your payment of ${money(amountMicros, currency)} is disputed`,
    text: 'The bank has taken the money back until the dispute is settled. If it’s a mistake, ask your bank to withdraw the dispute.',
  }),
  'dispute-ended': ({ amountMicros, currency, isWon }) => ({
    title: `The dispute over ${money(amountMicros, currency)} has ended`,
    text: isWon
      ? 'The bank rejected it, so the money is back on your balance.'
      : 'The bank decided in the payer’s favour, so the money stays off your balance.',
  }),
  refunded: ({ amountMicros, currency, serviceCode, countryId, phone }, names) => ({
    title: `Refunded: ${money(amountMicros, currency)}`,
    text: `The refund for ${names.service(serviceCode)}${phone === null ? '' : `, number ${formatPhone(phone, names.dial(countryId))},`} is on your balance.`,
  }),
  'balance-low': ({ limitMicros, currency }) => ({
    title: `Your balance is below ${money(limitMicros, currency)}`,
    text: 'Top up to keep buying numbers.',
  }),
  'rental-ending': ({ phone, countryId }, names) => ({
    title: `Your rental of ${formatPhone(phone, names.dial(countryId))} ends soon`,
    text: 'Once it ends, you can’t get the number back. You can still extend the rental.',
  }),
  'preorder-bought': ({ serviceCode, countryId }, names) => ({
    title: `We filled your pre-order: ${names.service(serviceCode)}`,
    text: `${names.country(countryId)}. The number is waiting for its code.`,
  }),
  'preorder-ended': ({ serviceCode, countryId, state }, names) => ({
    title: `Your pre-order has ended: ${names.service(serviceCode)}`,
    text:
      state === 'expired'
        ? `${names.country(countryId)}. We couldn’t find a number in time, so we refunded you.`
        : `${names.country(countryId)}. Your balance was too low to keep waiting.`,
  }),
  'webhook-off': ({ label, host, reason, sandbox }) => ({
    title: `The webhook ${label}${sandbox ? ' for play money' : ''} has been switched off`,
    text: [
      reason === 'gone'
        ? `${host} responded that it no longer exists (410).`
        : `Every delivery to ${host} failed for three days.`,
      sandbox
        ? 'It was for play money only. You can turn it on again through the API, using a key with play money.'
        : 'We won’t send anything there until you turn it on again.',
    ].join(' '),
  }),
  'ticket-answer': ({ subject }) => ({
    title: 'Support has replied',
    text: subject,
  }),
  'favorite-price': ({ serviceCode, priceMicros, currency, others = [] }, names) => ({
    title: `${names.service(serviceCode)} from ${money(priceMicros, currency)}`,
    text:
      others.length === 0
        ? 'The price of a favourite has dropped to your limit.'
        : `The prices of some favourites have dropped to your limit. Also ${someOf(others.map(names.service), 'and more')}.`,
  }),
  'new-device': ({ device, address }) => ({
    title: 'Login from a new device',
    text: `${device}, ${address}. If it wasn’t you, end this session and change your password.`,
  }),
  'telegram-linked': ({ name }) => ({
    title: 'Telegram is connected',
    text: `We’ll send the notifications you’ve chosen to ${name}. If it wasn’t you, disconnect Telegram and change your password.`,
  }),
  'telegram-unlinked': ({ name }) => ({
    title: 'Telegram is disconnected',
    text: `We won’t send anything else to ${name}.`,
  }),
  'security-silenced': ({ channels }) => ({
    title: 'Some security notifications have been turned off',
    text: `You’ll no longer get them via: ${channels.map((channel) => CHANNELS[channel]).join(', ')}. If it wasn’t you, turn them back on and change your password.`,
  }),
  news: ({ en }) => en,
}

const CHANNELS = { site: 'the site', mail: 'e-mail', push: 'browser notifications', telegram: 'Telegram' } as const

function money(micros: string, currency: Currency): string {
  return formatMoney(toDecimal(BigInt(micros)), currency, 'en')
}
