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

/** What differs between the services that speak this protocol; the rest is the same for all. */
export type Dialect = {
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

const FIELD: Dialect = {
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

/** Sources: the protocol pages of each service and their clients, as docs/suppliers/handler-api.md says. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  ringpost: {
    ...FIELD,
    keyHeader: 'x-api-key',
    orderId: 'lookup',
    list: { again: '3', paged: true },
    rents: 'named',
    pollSeconds: 2,
    exceptions: true,
  },
  'sms-activate': {
    ...FIELD,
    orderId: 'sent',
    text: 'getFullSms',
    repeat: 'getExtraActivation',
    exceptions: true,
    pushes: true,
    rents: 'listed',
  },
  'hero-sms': { ...FIELD, list: { again: '3', paged: true }, exceptions: true, pushes: true },
  grizzly: { ...FIELD, list: { again: '2', paged: false } },
  smsbower: { ...FIELD, list: null, text: null, exceptions: true, pushes: true },
  tiger: { ...FIELD, list: { again: '3', paged: true } },
  smshub: {
    ...FIELD,
    buy: 'getNumber',
    list: null,
    text: null,
    prices: { action: 'getPrices', shape: 'ladder' },
  },
  daisy: {
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
}
