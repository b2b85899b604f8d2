import { type Currency, toDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import type { PaymentSystem } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'
import { wordsOf } from '#server/house/errors/error-words.ts'
import { invalidInput } from '#server/house/errors/errors.ts'
import { sumOfNewAccount } from '../queries/beginning.ts'

/**
 * A closed payment counts while its page at the gateway may be open. The account must be locked. Throws INVALID_INPUT.
 */
export async function checkFirstDays(
  tx: Db,
  input: { wish: { userId: number; currency: Currency; amountMicros: bigint }; system: PaymentSystem; now: Date },
): Promise<void> {
  const { wish, system, now } = input
  const { days, mostMicros } = system.firstDays
  const most = mostMicros[wish.currency]
  if (most === undefined || days === 0) return
  const youngerThan = new Date(now.getTime() - days * DAY)
  const begun = await sumOfNewAccount(tx, { userId: wish.userId, system: system.key, youngerThan, now })
  if (begun === null || begun + wish.amountMicros <= most) return
  const left = toDecimal(begun < most ? most - begun : 0n)
  throw invalidInput({ amount: [wordsOf('field.firstDays', { days: String(days), maximum: toDecimal(most), left })] })
}
