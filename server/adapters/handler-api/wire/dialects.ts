import type { KeyDialect } from '#contract/api-key.ts'

/** Services with the protocol handler_api, each with its own variant. */
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

/** The dialect in which we buy from a service; everything else is the same for all. */
export type BoughtDialect = {
  /** The reply of getNumberV2 also has the cost, and often the end. */
  buy: 'getNumber' | 'getNumberV2'
  ceiling: 'maxPrice' | 'max_price'
  /** The header for the API key; null means that the key is a parameter. */
  keyHeader: string | null
  /**
   * `lookup` means that an order can be found by its name (getOrder). `sent` means that the name is accepted but cannot
   * be searched.
   */
  orderId: 'lookup' | 'sent' | 'none'
  /**
   * The list of open activations. `again` is the `activationStatus` of one that waits for another code, and `paged`
   * tells whether the list has pages. Null means that each number is polled by itself.
   */
  list: { again: string; paged: boolean } | null
  /** In the shape `ladder`, a pair of service and country has `{price: count}`. */
  prices: { action: string; shape: 'cost' | 'ladder' }
  /** The action that returns the whole text of a message; null means the code alone. */
  text: 'getFullSms' | 'getStatusV2' | null
  /** The action that buys a number of an earlier activation again; null means not supported. */
  repeat: 'getExtraActivation' | null
  /**
   * `named` finds a rental by our name for it; `listed` only lists the rentals of the account. Null means no rentals.
   */
  rents: 'named' | 'listed' | null
  /** The service posts unsigned events to an address of ours. */
  pushes: boolean
  pollSeconds: number
  /** The service honours `phoneException`. Elsewhere purchases with excluded prefixes are not made. */
  exceptions: boolean
}

/** The dialect in which we answer programs. A dialect changes shapes only: every action exists in all of them. */
export type ServedDialect = {
  name: ServedName
  /** `naive` is UTC without a zone, `moscow` is UTC+3 without a zone, `offset` is `2026-03-01T12:00:00+00:00`. */
  times: 'naive' | 'moscow' | 'offset'
  /** `words` are sent with 200. `envelopes` are `{"title":"WORD","details":"…","info":{…}}`. */
  refusals: 'words' | 'envelopes'
  /** The word for a service that is not sold. */
  unknownService: 'BAD_SERVICE' | 'WRONG_SERVICE'
  /** The form in which getPrices refuses a filter. */
  wrongFilter: 'status' | 'error'
  /** The reply of getNumberV2. `olderGo` sends text to Go programs without an Accept header. `more` adds fields. */
  number: {
    id: 'text' | 'number'
    cost: 'number' | 'text'
    country: 'number' | 'text'
    again: 'boolean' | 'text' | 'number'
    currency: boolean
    olderGo: boolean
    more: 'none' | 'kind' | 'ends'
  }
  /** In getPrices a pair of service and country is `{cost,count}` or `{price: count}`. */
  prices: 'cost' | 'ladder'
  /** In getPricesV3 suppliers stand inside `providers` or at the top. */
  pricesV3: 'providers' | 'flat'
  /** getNumbersStatus gives `{"tg":"9"}` or `{"tg_0":9}`, never both: programs take each key for a service. */
  stock: 'texts' | 'suffixes'
  /** The type of `id` in getCountries. */
  countryId: 'number' | 'text'
  /** In getTopCountriesByService keys are "0", "1" …, or the country's slug and the supplier. */
  topCountries: 'rows' | 'slugs'
  /** The reply of getOperators for a country without operators. */
  noOperators: 'word' | 'list'
  /** The reply of getStatusV2: one `sms`, with `data` as well, or a list of all messages. */
  statusV2: 'sms' | 'data' | 'list'
  /** `activeActivations` is a list with text, or an object with `rows` beside `data`. */
  open: 'list' | 'rows'
  /** The values of `activationStatus`: waiting, with a message, waiting for another. */
  openStatus: readonly [waiting: string, received: string, again: string]
  /** The type of the id in getHistory, and whether it has all messages or the newest text. */
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
 * Sources are the protocol pages of each service, their clients and the programs written for them
 * (docs/suppliers/handler-api.md). docs/api/dialects.md is generated from `served`; null means that programs of that
 * service get no dialect of their own.
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

/** `union` is the dialect of a key without one. */
export type ServedName = KeyDialect | 'union'

export function servedDialect(name: ServedName): ServedDialect {
  return (name === 'union' ? null : dialects[name].served) ?? UNION
}
