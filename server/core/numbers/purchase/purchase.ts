import type { Currency } from '#contract/money.ts'
import { noNumbers, noReplacement, repeatUnavailable } from '#server/house/errors/buying-errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import type { ActivationRow } from '../activations/queries/row.ts'

export type Purchase = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  /** null: any operator. */
  operator: string | null
  /** Absent: any offer of this operator. */
  source?: Source
  /** A higher price now answers PRICE_CHANGED. */
  shownPriceMicros?: bigint | undefined
  /** Below the lowest price answers MAX_PRICE_TOO_LOW. */
  maxPriceMicros?: bigint | undefined
  /** The same, by what the buyer set for all purchases that name none. It may change before a repeat, so no key knows it. */
  standingMaxMicros?: bigint | undefined
  /** Unwanted numbers begin with one of these. */
  excludedPrefixes?: readonly string[]
  idempotencyKey?: string | undefined
  /** Null or absent: not by a key. Its limit of the day holds. */
  apiKeyId?: number | null | undefined
  channel: 'site' | 'handler_api' | 'agent' | 'five_sim'
}

export type Source =
  | {
      from: 'offers'
      /** handler_api falls back to other operators; elsewhere that is NO_NUMBERS. */
      operatorFallback: boolean
      /** Absent: of any supplier. A purchase of chosen ones is at their own lowest price. */
      isSupplierWanted?: ((supplierId: number) => boolean) | undefined
    }
  /** Cancelled by the same statement; its price counts for the new one. */
  | { from: 'replaced'; row: ActivationRow }
  /** Ended; its number is bought once more. */
  | { from: 'repeated'; row: ActivationRow }

/** Another number instead of one (replace.ts), or the same once more (repeat.ts). */
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
