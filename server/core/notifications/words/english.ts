import { formatPhone } from '#contract/formats/phone-format.ts'
import { type Currency, formatMoney, toDecimal } from '#contract/money.ts'
import { type NotificationWords, someOf } from './language.ts'

export const english: NotificationWords = {
  'payment-credited': ({ amountMicros, currency }) => ({
    title: `${money(amountMicros, currency)} credited`,
    text: 'The money is on your balance.',
  }),
  'payment-disputed': ({ amountMicros, currency }) => ({
    title: `A payment of ${money(amountMicros, currency)} is disputed`,
    text: 'The bank took the money back until the dispute is decided. If it is a mistake, withdraw it at your bank.',
  }),
  'dispute-ended': ({ amountMicros, currency, isWon }) => ({
    title: `The dispute about ${money(amountMicros, currency)} is over`,
    text: isWon
      ? 'It was rejected: the money is on your balance again.'
      : 'It was decided for whoever paid: the money went back there and stays off your balance.',
  }),
  refunded: ({ amountMicros, currency, serviceCode, countryId, phone }, names) => ({
    title: `Paid back: ${money(amountMicros, currency)}`,
    text: `For ${names.service(serviceCode)}${phone === null ? '' : `, number ${formatPhone(phone, names.dial(countryId))}`}. The money is on your balance.`,
  }),
  'balance-low': ({ limitMicros, currency }) => ({
    title: `Your balance is below ${money(limitMicros, currency)}`,
    text: 'Top it up so that buying does not stop.',
  }),
  'rental-ending': ({ phone, countryId }, names) => ({
    title: `The rental of ${formatPhone(phone, names.dial(countryId))} ends soon`,
    text: 'The number is switched off then, and you cannot get it back. You can still extend it.',
  }),
  'preorder-bought': ({ serviceCode, countryId }, names) => ({
    title: `Your pre-order was bought: ${names.service(serviceCode)}`,
    text: `${names.country(countryId)}. The number waits for its code.`,
  }),
  'preorder-ended': ({ serviceCode, countryId, state }, names) => ({
    title: `Your pre-order has ended: ${names.service(serviceCode)}`,
    text:
      state === 'expired'
        ? `${names.country(countryId)}. No number turned up in time, and the money is back on your balance.`
        : `${names.country(countryId)}. The balance had too little to wait on.`,
  }),
  'webhook-off': ({ label, host, reason, sandbox }) => ({
    title: `The webhook ${label}${sandbox ? ' for play money' : ''} is switched off`,
    text: [
      reason === 'gone' ? `${host} answered that it is gone (410).` : `${host} has taken nothing for three days.`,
      sandbox
        ? 'It told of play money alone. A key with play money turns it on again, by the API.'
        : 'Nothing more is sent there until you turn it on.',
    ].join(' '),
  }),
  'ticket-answer': ({ subject }) => ({
    title: 'Support has answered',
    text: subject,
  }),
  'favorite-price': ({ serviceCode, priceMicros, currency, others = [] }, names) => ({
    title: `${names.service(serviceCode)} from ${money(priceMicros, currency)}`,
    text:
      others.length === 0
        ? 'The price of a favourite has come down to your limit.'
        : `The prices of favourites have come down to your limit. Also ${someOf(others.map(names.service), 'and more')}.`,
  }),
  'new-device': ({ device, address }) => ({
    title: 'Login from a new device',
    text: `${device}, ${address}. If it was not you, end this session and change your password.`,
  }),
  'telegram-linked': ({ name }) => ({
    title: 'Telegram is connected',
    text: `What you have chosen goes to ${name}. If it was not you, disconnect it and change your password.`,
  }),
  'telegram-unlinked': ({ name }) => ({
    title: 'Telegram is disconnected',
    text: `Nothing more goes to ${name}.`,
  }),
  'security-silenced': ({ channels }) => ({
    title: 'Notices about security are turned off in part',
    text: `They no longer come by: ${channels.map((channel) => CHANNELS[channel]).join(', ')}. If it was not you, turn them on and change your password.`,
  }),
  news: ({ en }) => en,
}

const CHANNELS = { site: 'the bell', mail: 'e-mail', push: 'browser notifications', telegram: 'Telegram' } as const

function money(micros: string, currency: Currency): string {
  return formatMoney(toDecimal(BigInt(micros)), currency, 'en')
}
