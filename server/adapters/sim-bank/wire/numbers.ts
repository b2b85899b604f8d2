import { z } from 'zod'

/** Reads the protocol's `ulong` as digits, from a number or text. Only `supplier:certify` demands a number. */
export const digits = z
  .union([z.int().nonnegative(), z.bigint().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

/** The currency numbers of ISO 4217. */
export const CURRENCY_NUMBERS = { rub: 643, usd: 840 } as const

export const CURRENCY_DECIMALS = { rub: 2, usd: 4 } as const

export const STATUS = { used: 1, sold: 3, cancelled: 4, refunded: 5 } as const
