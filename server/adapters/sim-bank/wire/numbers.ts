import { z } from 'zod'

/** Reads the protocol's `ulong` as digits, from a number or text. Only `supplier:certify` demands a number. */
export const digits = z
  .union([z.int().nonnegative(), z.bigint().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

export const CURRENCY_DECIMALS = { rub: 2, usd: 4 } as const
