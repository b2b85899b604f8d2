import type { DialectName } from '#server/adapters/handler-api/wire/dialects.ts'
import { RENT_ACTIONS } from './rent-house.ts'

export type FieldSold = {
  id: string
  service: string
  country: string
  phone: string
  cost: string
  madeAt: Date
  state: 'waiting' | 'code' | 'again' | 'cancelled' | 'finished'
  texts: string[]
}

/** The message formats of one service, taken from its own documentation and replies. */
export type Shapes = {
  keyIn: 'query' | 'x-apikey'
  actions: readonly string[]
  number(sold: FieldSold): unknown
  list(open: FieldSold[]): unknown
  prices: unknown
  error(word: string): { status: number; body: unknown }
}

const naive = (at: Date) => new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const zoned = (at: Date) => at.toISOString().replace(/\.\d+Z$/, '+00:00')
/** Returns the code that the fake service finds in a text, or else the whole text. */
export const codeOf = (text: string) => /\d{4,}/.exec(text)?.[0] ?? text
const NUMBERS = { waiting: '4', code: '2', again: '3', cancelled: '8', finished: '6' }
const GRIZZLY = { waiting: 0, code: 1, again: 2, cancelled: 4, finished: 3 }
const LIFETIME_MS = 900_000

const word = (text: string) => ({ status: 200, body: text })
const byField = (cost: unknown) => ({
  2: { tg: { cost, count: 40 }, xx1: { cost: 3, count: 5 } },
  999: { tg: { cost: 1, count: 1 } },
})
const COMMON = ['getBalance', 'getPrices', 'getStatus', 'setStatus']

function row(sold: FieldSold) {
  const text = sold.texts.at(-1)
  return {
    activationId: sold.id,
    serviceCode: sold.service,
    phoneNumber: sold.phone,
    activationCost: sold.cost,
    activationStatus: NUMBERS[sold.state],
    countryCode: sold.country,
    activationTime: naive(sold.madeAt),
    smsCode: text === undefined ? null : codeOf(text),
    smsText: text ?? null,
  }
}

const plain = (sold: FieldSold) => ({
  activationId: Number(sold.id),
  phoneNumber: sold.phone,
  activationCost: Number(sold.cost),
})
const words = (sold: FieldSold) => `ACCESS_NUMBER:${sold.id}:${sold.phone}`

const smsActivate: Shapes = {
  keyIn: 'query',
  actions: [...COMMON, 'getNumberV2', 'getFullSms', 'getActiveActivations', 'getExtraActivation', ...RENT_ACTIONS],
  number: (sold) => ({ ...plain(sold), currency: 643, countryCode: sold.country, activationTime: naive(sold.madeAt) }),
  list: (open) =>
    open.length === 0
      ? 'NO_ACTIVATIONS'
      : { status: 'success', activeActivations: open.map((one) => ({ ...row(one), smsCode: one.texts.map(codeOf) })) },
  prices: byField(12.5),
  error: word,
}

/** The message formats of each service. Ringpost's own dialect is tested against Ringpost itself. */
export const shapes: Record<Exclude<DialectName, 'ringpost'>, Shapes> = {
  'sms-activate': smsActivate,
  'hero-sms': {
    ...smsActivate,
    actions: [...COMMON, 'getNumberV2', 'getStatusV2', 'getActiveActivations'],
    number: (sold) => ({
      activationId: sold.id,
      phoneNumber: sold.phone,
      activationCost: Number(sold.cost),
      countryCode: 2,
      status: 4,
      activationTime: zoned(sold.madeAt),
      activationEndTime: zoned(new Date(sold.madeAt.getTime() + LIFETIME_MS)),
    }),
    list: (open) => ({
      status: 'success',
      data: open.map((one) => ({ ...row(one), activationTime: zoned(one.madeAt) })),
      activeActivations: { affected_rows: 0, num_rows: 0, row: [], rows: [] },
    }),
    error: (title) => {
      const statuses: Record<string, number> = {
        BAD_KEY: 401,
        NO_BALANCE: 402,
        EARLY_CANCEL_DENIED: 409,
        RATE_LIMIT: 429,
      }
      if (title === 'NO_NUMBERS') return word(title)
      return { status: statuses[title] ?? 404, body: { title, details: '' } }
    },
  },
  grizzly: {
    ...smsActivate,
    actions: [...COMMON, 'getNumberV2', 'getStatusV2', 'getActiveActivations'],
    number: (sold) => ({
      ...plain(sold),
      activationTime: naive(sold.madeAt),
      activationEnd: naive(new Date(sold.madeAt.getTime() + LIFETIME_MS)),
    }),
    list: (open) => open.map((one) => ({ ...row(one), activationStatus: GRIZZLY[one.state] })),
  },
  smsbower: {
    ...smsActivate,
    actions: [...COMMON, 'getNumberV2'],
    number: (sold) => ({
      activationId: Number(sold.id),
      phoneNumber: sold.phone,
      activationCost: sold.cost,
      canGetAnotherSms: 1,
    }),
  },
  tiger: {
    ...smsActivate,
    actions: [...COMMON, 'getNumberV2', 'getStatusV2', 'getActiveActivations'],
    list: (open) => ({
      status: 'success',
      data: open.map((one) => ({ ...row(one), countryCode: 2, smsCode: row(one).smsCode ?? '' })),
    }),
    prices: byField('12.5000'),
  },
  smshub: {
    ...smsActivate,
    actions: [...COMMON, 'getNumber'],
    number: words,
    prices: { 2: { tg: { '14.1': 9, '12.5': 40, '12.1': 0 }, xx1: { '3': 5 } }, 999: { tg: { '1': 1 } } },
  },
  daisy: {
    ...smsActivate,
    keyIn: 'x-apikey',
    actions: [...COMMON, 'getNumber', 'getExtraActivation'],
    number: words,
    error: (text) => word(text === 'NO_BALANCE' ? 'NO_MONEY' : text),
  },
}
