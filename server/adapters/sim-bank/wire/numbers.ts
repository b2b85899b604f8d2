import { z } from 'zod'

/** Reads the protocol's `ulong` as digits. A text of digits passes too; only `supplier:certify` insists on a number. */
export const digits = z
  .union([z.int().nonnegative(), z.bigint().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

/** Currency numbers of ISO 4217. */
export const CURRENCY_NUMBERS = { rub: 643, usd: 840 } as const

/** The decimals of the protocol's type `cur`. */
export const CURRENCY_DECIMALS = { rub: 2, usd: 4 } as const

/** The protocol's statuses of an ended activation. */
export const STATUS = { used: 1, sold: 3, cancelled: 4, refunded: 5 } as const
