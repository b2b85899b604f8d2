import type { Currency } from '#contract/money.ts'
import { noNumbers, noReplacement, repeatUnavailable } from '#server/house/errors/buying-errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import type { ActivationRow } from '../activations/queries/row.ts'

export type Purchase = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  /** Null means any operator. */
  operator: string | null
  /** If absent, any offer of this operator will do. */
  source?: Source
  /** The purchase fails with PRICE_CHANGED if the price is higher now. */
  shownPriceMicros?: bigint | undefined
  /** The purchase fails with MAX_PRICE_TOO_LOW if this is below the lowest price. */
  maxPriceMicros?: bigint | undefined
  /** The buyer's standing maximum. The key's input leaves it out, because it may change before a repeat. */
  standingMaxMicros?: bigint | undefined
  /** Numbers with one of these prefixes are unwanted. */
  excludedPrefixes?: readonly string[]
  idempotencyKey?: string | undefined
  /** Null or absent unless an API key buys. The key's daily limit applies. */
  apiKeyId?: number | null | undefined
  channel: 'site' | 'handler_api' | 'agent' | 'five_sim'
}

export type Source =
  | {
      from: 'offers'
      /** True if other operators may be used, as in handler_api; otherwise the purchase fails with NO_NUMBERS. */
      operatorFallback: boolean
      /** If absent, any supplier will do. A purchase from chosen suppliers has their own lowest price. */
      isSupplierWanted?: ((supplierId: number) => boolean) | undefined
    }
  /** The same statement cancels this activation, and its price counts towards the new one. */
  | { from: 'replaced'; row: ActivationRow }
  /** The number of this ended activation is bought again. */
  | { from: 'repeated'; row: ActivationRow }

/** A replacement of a number (replace.ts), or a repeat of it (repeat.ts). */
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
