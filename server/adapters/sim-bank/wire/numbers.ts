import { z } from 'zod'

/** `ulong` of the protocol, as digits. A text of digits is taken too: only `supplier:certify` insists on a number. */
export const digits = z
  .union([z.int().nonnegative(), z.bigint().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

/** ISO 4217. */
export const CURRENCY_NUMBERS = { rub: 643, usd: 840 } as const

/** Decimals of `cur`. */
export const CURRENCY_DECIMALS = { rub: 2, usd: 4 } as const

/** What is told of an activation's end. */
export const STATUS = { used: 1, sold: 3, cancelled: 4, refunded: 5 } as const
