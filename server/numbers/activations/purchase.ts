import type { Currency } from '#contract/money.ts'
import { noNumbers, noReplacement, repeatUnavailable } from '#server/buying-errors.ts'
import type { AppError } from '#server/errors.ts'
import type { ActivationRow } from './queries/row.ts'

/** What a buyer wants, and on which terms. */
export type Purchase = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  /** null: any operator. */
  operator: string | null
  /** handler_api lets another operator serve when the wanted one cannot; elsewhere that is NO_NUMBERS. */
  operatorFallback?: boolean
  /** The price that was shown: paying more than this answers PRICE_CHANGED. */
  shownPriceMicros?: bigint | undefined
  /** The buyer's own ceiling: below the lowest price answers MAX_PRICE_TOO_LOW. */
  maxPriceMicros?: bigint | undefined
  /** Numbers that begin with one of these are not wanted. */
  excludedPrefixes?: readonly string[]
  /** A waiting activation of the buyer's that is cancelled in the same moment; its price counts. */
  replaces?: ActivationRow
  /** An ended activation of the buyer's whose number is bought once more. */
  repeats?: ActivationRow
  idempotencyKey?: string | undefined
  channel: 'site' | 'handler_api'
}

/** Another number for an activation of the buyer's: instead of it (replace.ts), or its own once more (repeat.ts). */
export type AnotherPurchase = { activationId: number } & Pick<
  Purchase,
  'userId' | 'shownPriceMicros' | 'idempotencyKey'
>

/** What is told when no supplier had a number. */
export function noneFor({ replaces, repeats }: Purchase): AppError {
  if (replaces !== undefined) return noReplacement(Number(replaces.id))
  return repeats === undefined ? noNumbers() : repeatUnavailable()
}
