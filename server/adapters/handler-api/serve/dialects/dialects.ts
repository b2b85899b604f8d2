import type { KeyDialect } from '#contract/api-key.ts'

/** `union`: one reply that most programs read (docs/api/handler_api.md). */
export type DialectName = KeyDialect | 'union'

/** A dialect changes shapes, never what exists: each action is there in all of them. */
export type Dialect = {
  name: DialectName
  /** `naive`: UTC without a zone. `moscow`: UTC+3 without one. `offset`: `2026-03-01T12:00:00+00:00`. */
  times: 'naive' | 'moscow' | 'offset'
  /** `words`: with 200. `envelopes`: `{"title":"WORD","details":"…","info":{…}}`. */
  refusals: 'words' | 'envelopes'
  /** The word for a service that is not sold. */
  unknownService: 'BAD_SERVICE' | 'WRONG_SERVICE'
  /** How getPrices refuses a filter. */
  wrongFilter: 'status' | 'error'
  /** Of getNumberV2. `olderGo`: texts for Go programs that send no Accept header. `more`: further fields. */
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

const UNION: Dialect = {
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

/** Sources: the pages of each service and the programs written for it. docs/api/dialects.md is made from this table. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  union: UNION,
  'sms-activate': {
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
  'hero-sms': {
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
  grizzly: {
    ...UNION,
    name: 'grizzly',
    statusV2: 'list',
    openStatus: ['0', '1', '2'],
    number: { ...UNION.number, olderGo: false, more: 'ends' },
  },
  smsbower: {
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
  smshub: {
    ...UNION,
    name: 'smshub',
    unknownService: 'WRONG_SERVICE',
    prices: 'ladder',
    stock: 'suffixes',
  },
}
