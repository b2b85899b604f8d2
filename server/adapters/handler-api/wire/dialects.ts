import type { KeyDialect } from '#contract/api-key.ts'

export const DIALECTS = [
  'ringpost',
  'sms-activate',
  'hero-sms',
  'grizzly',
  'smsbower',
  'tiger',
  'smshub',
  'daisy',
] as const
export type DialectName = (typeof DIALECTS)[number]

/** The features of a service from which we buy that differ from those of other services. */
export type BoughtDialect = {
  /** The action that buys. getNumberV2 also tells the cost, and often the end time. */
  buy: 'getNumber' | 'getNumberV2'
  ceiling: 'maxPrice' | 'max_price'
  keyHeader: string | null
  /** `lookup` means that getOrder finds an order by our name, and `sent` that the service only accepts the name. */
  orderId: 'lookup' | 'sent' | 'none'
  /**
   * The list of open activations. `again` is the `activationStatus` of an activation that waits for another code.
   * `paged` tells whether the list has pages. Null means that each number is polled by itself.
   */
  list: { again: string; paged: boolean } | null
  /** `ladder` means that the list of prices gives `{price: count}` for a pair of service and country. */
  prices: { action: string; shape: 'cost' | 'ladder' }
  /** The action that returns the whole text of a message, or null if the service tells only the code. */
  text: 'getFullSms' | 'getStatusV2' | null
  /** The action that buys the number of an earlier activation again, or null if there is none. */
  repeat: 'getExtraActivation' | null
  /** `named` rentals are found by our name of them, and `listed` ones only in a list. Null means no rentals. */
  rents: 'named' | 'listed' | null
  /** True if the service posts unsigned events to a URL of ours. */
  pushes: boolean
  pollSeconds: number
  /** True if the service obeys `phoneException`. Other services sell us no number if prefixes are excluded. */
  exceptions: boolean
}

/** The dialect in which we answer programs. It changes only the form of replies: all dialects have every action. */
export type ServedDialect = {
  name: ServedName
  /** `naive` is UTC without a zone, `moscow` is UTC+3 without a zone, and `offset` is `2026-03-01T12:00:00+00:00`. */
  times: 'naive' | 'moscow' | 'offset'
  /** `words` are plain texts with status 200. `envelopes` are `{"title":"WORD","details":"…","info":{…}}`. */
  refusals: 'words' | 'envelopes'
  unknownService: 'BAD_SERVICE' | 'WRONG_SERVICE'
  /** The form in which getPrices refuses an unknown service or country. */
  wrongFilter: 'status' | 'error'
  /** The reply of getNumberV2. If `olderGo`, Go programs without an Accept header get numbers as text. */
  number: {
    id: 'text' | 'number'
    cost: 'number' | 'text'
    country: 'number' | 'text'
    again: 'boolean' | 'text' | 'number'
    currency: boolean
    olderGo: boolean
    more: 'none' | 'kind' | 'ends'
  }
  /** The form of a pair in getPrices: `{cost,count}` or `{price: count}`. */
  prices: 'cost' | 'ladder'
  /** The place of the suppliers in getPricesV3: inside `providers`, or at the top. */
  pricesV3: 'providers' | 'flat'
  /** getNumbersStatus gives `{"tg":"9"}` or `{"tg_0":9}`, never both, because programs take each key for a service. */
  stock: 'texts' | 'suffixes'
  countryId: 'number' | 'text'
  /** The keys in getTopCountriesByService: "0", "1" …, or the country's slug and then the supplier. */
  topCountries: 'rows' | 'slugs'
  noOperators: 'word' | 'list'
  /** The reply of getStatusV2: one `sms`, an `sms` with `data`, or a list of all messages. */
  statusV2: 'sms' | 'data' | 'list'
  /** The form of `activeActivations`: a list with text, or an object with `rows`, beside `data`. */
  open: 'list' | 'rows'
  /** The values of `activationStatus` for a number that waits, has a message, or waits for another code. */
  openStatus: readonly [waiting: string, received: string, again: string]
  /** The type of the id in getHistory, and whether the reply has all messages or the newest text. */
  past: { id: 'number' | 'text'; sms: 'list' | 'text' }
}

const FIELD: BoughtDialect = {
  buy: 'getNumberV2',
  ceiling: 'maxPrice',
  keyHeader: null,
  orderId: 'none',
  list: { again: '3', paged: false },
  prices: { action: 'getPrices', shape: 'cost' },
  text: 'getStatusV2',
  repeat: null,
  rents: null,
  pushes: false,
  pollSeconds: 3,
  exceptions: false,
}

/** The union of all dialects, which most programs can read (docs/api/handler_api.md). */
const UNION: ServedDialect = {
  name: 'union',
  times: 'naive',
  refusals: 'words',
  unknownService: 'BAD_SERVICE',
  wrongFilter: 'status',
  number: {
    id: 'text',
    cost: 'number',
    country: 'number',
    again: 'boolean',
    currency: true,
    olderGo: true,
    more: 'none',
  },
  prices: 'cost',
  pricesV3: 'providers',
  stock: 'texts',
  countryId: 'number',
  topCountries: 'rows',
  noOperators: 'word',
  statusV2: 'sms',
  open: 'list',
  openStatus: ['4', '2', '3'],
  past: { id: 'number', sms: 'list' },
}

/**
 * All dialects, from each service's documentation, clients and programs (docs/suppliers/handler-api.md).
 * docs/api/dialects.md is generated from `served`, which is null if programs of that service get no own dialect.
 */
export const dialects: Readonly<Record<DialectName, { bought: BoughtDialect; served: ServedDialect | null }>> = {
  ringpost: {
    bought: {
      ...FIELD,
      keyHeader: 'x-api-key',
      orderId: 'lookup',
      list: { again: '3', paged: true },
      rents: 'named',
      pollSeconds: 2,
      exceptions: true,
    },
    served: UNION,
  },
  'sms-activate': {
    bought: {
      ...FIELD,
      orderId: 'sent',
      text: 'getFullSms',
      repeat: 'getExtraActivation',
      exceptions: true,
      pushes: true,
      rents: 'listed',
    },
    served: {
      ...UNION,
      name: 'sms-activate',
      times: 'moscow',
      number: {
        id: 'number',
        cost: 'number',
        country: 'text',
        again: 'text',
        currency: true,
        olderGo: true,
        more: 'none',
      },
    },
  },
  'hero-sms': {
    bought: { ...FIELD, list: { again: '3', paged: true }, exceptions: true, pushes: true },
    served: {
      ...UNION,
      name: 'hero-sms',
      times: 'offset',
      refusals: 'envelopes',
      number: {
        id: 'text',
        cost: 'number',
        country: 'number',
        again: 'boolean',
        currency: true,
        olderGo: false,
        more: 'kind',
      },
      statusV2: 'data',
      open: 'rows',
      past: { id: 'text', sms: 'text' },
    },
  },
  grizzly: {
    bought: { ...FIELD, list: { again: '2', paged: false } },
    served: {
      ...UNION,
      name: 'grizzly',
      statusV2: 'list',
      openStatus: ['0', '1', '2'],
      number: { ...UNION.number, olderGo: false, more: 'ends' },
    },
  },
  smsbower: {
    bought: { ...FIELD, list: null, text: null, exceptions: true, pushes: true },
    served: {
      ...UNION,
      name: 'smsbower',
      unknownService: 'WRONG_SERVICE',
      wrongFilter: 'error',
      number: {
        id: 'number',
        cost: 'text',
        country: 'text',
        again: 'number',
        currency: false,
        olderGo: false,
        more: 'none',
      },
      pricesV3: 'flat',
      countryId: 'text',
      topCountries: 'slugs',
      noOperators: 'list',
    },
  },
  tiger: { bought: { ...FIELD, list: { again: '3', paged: true } }, served: null },
  smshub: {
    bought: {
      ...FIELD,
      buy: 'getNumber',
      list: null,
      text: null,
      prices: { action: 'getPrices', shape: 'ladder' },
    },
    served: {
      ...UNION,
      name: 'smshub',
      unknownService: 'WRONG_SERVICE',
      prices: 'ladder',
      stock: 'suffixes',
    },
  },
  daisy: {
    bought: {
      ...FIELD,
      buy: 'getNumber',
      ceiling: 'max_price',
      keyHeader: 'x-apikey',
      list: null,
      text: null,
      repeat: 'getExtraActivation',
      pushes: true,
      pollSeconds: 4,
    },
    served: null,
  },
}

/** The name of a dialect in which we answer. API keys without a dialect get `union`. */
export type ServedName = KeyDialect | 'union'

export function servedDialect(name: ServedName): ServedDialect {
  return (name === 'union' ? null : dialects[name].served) ?? UNION
}
