import type { KeyDialect } from '#contract/api-key.ts'

/** Services that speak the field's protocol, each in its own way. */
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

/** How we buy from a service; the rest is the same for all. */
export type BoughtDialect = {
  /** getNumberV2 also tells the cost, and often the end. */
  buy: 'getNumber' | 'getNumberV2'
  ceiling: 'maxPrice' | 'max_price'
  /** null: the key is a parameter. */
  keyHeader: string | null
  /** `lookup`: an order is found by its name (getOrder). `sent`: the name is taken, but nothing is found by it. */
  orderId: 'lookup' | 'sent' | 'none'
  /**
   * The list of open activations, with the `activationStatus` of those that wait for another code, and whether it has
   * pages. null: each number is asked about.
   */
  list: { again: string; paged: boolean } | null
  /** `ladder`: `{price: count}` of a pair. */
  prices: { action: string; shape: 'cost' | 'ladder' }
  /** The whole text of one number; null: its code alone. */
  text: 'getFullSms' | 'getStatusV2' | null
  /** Buys a number of an earlier activation again; null: not here. */
  repeat: 'getExtraActivation' | null
  /** Rents numbers out, and tells of a rental by our name for it, or lists those of the account. null: not here. */
  rents: 'named' | 'listed' | null
  /** Posts what has come, unsigned, to an address of ours. */
  pushes: boolean
  pollSeconds: number
  /** It heeds `phoneException`. Elsewhere no purchase with excluded prefixes is made. */
  exceptions: boolean
}

/** How we answer the programs of a service. A dialect changes shapes, never what exists: each action is there in all of them. */
export type ServedDialect = {
  name: ServedName
  /** `naive`: UTC without a zone. `moscow`: UTC+3 without one. `offset`: `2026-03-01T12:00:00+00:00`. */
  times: 'naive' | 'moscow' | 'offset'
  /** `words`: with 200. `envelopes`: `{"title":"WORD","details":"…","info":{…}}`. */
  refusals: 'words' | 'envelopes'
  /** The word for a service that is not sold. */
  unknownService: 'BAD_SERVICE' | 'WRONG_SERVICE'
  /** How getPrices refuses a filter. */
  wrongFilter: 'status' | 'error'
  /** The reply of getNumberV2. `olderGo`: texts for Go programs that send no Accept header. `more`: further fields. */
  number: {
    id: 'text' | 'number'
    cost: 'number' | 'text'
    country: 'number' | 'text'
    again: 'boolean' | 'text' | 'number'
    currency: boolean
    olderGo: boolean
    more: 'none' | 'kind' | 'ends'
  }
  /** getPrices: `{cost,count}` of a pair, or `{price: count}`. */
  prices: 'cost' | 'ladder'
  /** getPricesV3: suppliers inside `providers`, or at once. */
  pricesV3: 'providers' | 'flat'
  /** getNumbersStatus: `{"tg":"9"}`, or `{"tg_0":9}`. Never both: programs take each key for a service. */
  stock: 'texts' | 'suffixes'
  /** `id` of getCountries. */
  countryId: 'number' | 'text'
  /** getTopCountriesByService: keyed "0", "1" …, or by the country's slug and the supplier. */
  topCountries: 'rows' | 'slugs'
  /** getOperators of a country without any. */
  noOperators: 'word' | 'list'
  /** getStatusV2: one `sms`, `data` as well, or a list of all. */
  statusV2: 'sms' | 'data' | 'list'
  /** `activeActivations`: a list with texts, or an object with `rows` beside `data`. */
  open: 'list' | 'rows'
  /** `activationStatus` of an open number: waiting, with a message, waiting for another. */
  openStatus: readonly [waiting: string, received: string, again: string]
  /** getHistory: the id, and all messages or the newest text. */
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

/** The union of all dialects: most programs read it (docs/api/handler_api.md). */
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
 * Sources: the protocol pages of each service, their clients and the programs written for them, as docs/suppliers/handler-api.md says.
 * docs/api/dialects.md is made from `served`; null: programs of that service find no dialect of theirs.
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

/** `union`: of a key without a dialect. */
export type ServedName = KeyDialect | 'union'

export function servedDialect(name: ServedName): ServedDialect {
  return (name === 'union' ? null : dialects[name].served) ?? UNION
}
