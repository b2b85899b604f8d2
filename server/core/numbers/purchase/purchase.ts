import type { Currency } from '#contract/money.ts'
import { noNumbers, noReplacement, repeatUnavailable } from '#server/house/errors/buying-errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import type { ActivationRow } from '../activations/queries/row.ts'

export type Purchase = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  operator: string | null
  /** The allowed origin of the number. If absent, any offer of the operator will do. */
  source?: Source
  /** The price that the buyer saw. The purchase fails with PRICE_CHANGED if the current price is higher. */
  shownPriceMicros?: bigint | undefined
  /** The buyer's maximum price. If the lowest price is higher, MAX_PRICE_TOO_LOW is thrown. */
  maxPriceMicros?: bigint | undefined
  /** The maximum price of the buyer's settings, not in an idempotency key's input, because it may change. */
  standingMaxMicros?: bigint | undefined
  excludedPrefixes?: readonly string[]
  idempotencyKey?: string | undefined
  /** The API key that buys; null or absent for a purchase on the site. The API key's daily limit applies. */
  apiKeyId?: number | null | undefined
  channel: 'site' | 'handler_api' | 'agent' | 'five_sim'
}

export type Source =
  | {
      from: 'offers'
      /** True if other operators may be used, as in handler_api; otherwise the purchase fails with NO_NUMBERS. */
      operatorFallback: boolean
      /** Selects the allowed suppliers; absent means all. The price is the lowest price of the allowed suppliers. */
      isSupplierWanted?: ((supplierId: number) => boolean) | undefined
    }
  /** The activation that the replacing statement cancels. Its price counts towards the new purchase. */
  | { from: 'replaced'; row: ActivationRow }
  | { from: 'repeated'; row: ActivationRow }

/** The input for a replacement of a number (replace.ts), or for buying the same number again (repeat.ts). */
export type AnotherPurchase = { activationId: number } & Pick<
  Purchase,
  'userId' | 'shownPriceMicros' | 'maxPriceMicros' | 'standingMaxMicros' | 'idempotencyKey' | 'apiKeyId'
> & { channel?: Purchase['channel'] }

export function replacedBy({ source }: Purchase): ActivationRow | undefined {
  return source?.from === 'replaced' ? source.row : undefined
}

export function repeatedBy({ source }: Purchase): ActivationRow | undefined {
  return source?.from === 'repeated' ? source.row : undefined
}

export function noneFor({ source }: Purchase): AppError {
  if (source?.from === 'replaced') return noReplacement(Number(source.row.id))
  return source?.from === 'repeated' ? repeatUnavailable() : noNumbers()
}
