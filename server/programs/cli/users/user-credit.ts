import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findAdjustment } from '#server/house/money/adjustments.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { requireAccount, requireUser } from './find-account.ts'

const KEY_PATTERN = /^[\x21-\x7e]{1,100}$/

export const creditUser: Command = {
  name: 'user:credit',
  summary: 'give an AMOUNT of their currency to a user, or take it when negative; once for each --key',
  values: ['EMAIL', 'AMOUNT'],
  options: { key: { shows: 'KEY', required: true } },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = '', text = ''] = given.values
    const { key = '' } = given.options
    const amountMicros = parseDecimal(text)
    if (amountMicros === null || amountMicros === 0n)
      throw new WrongUsage('AMOUNT is such as 12.50 or -12.50, not zero')
    if (!KEY_PATTERN.test(key)) throw new WrongUsage('--key is 1 to 100 printable characters without spaces')
    // The prefix separates idempotency keys that staff type from those of payments.
    const idempotencyKey = `staff:${key}`
    return makeChange(cli, { name: 'user:credit', given }, async (tx, now) => {
      const user = await requireUser(tx, email)
      const { currency } = await requireAccount(tx, user)
      refuseLargeCredit(given, { amountMicros, currency, limitMicros: cli.config.maxCreditMicros[currency] })
      const moved = await adjustBalance(tx, { userId: user.id, amountMicros, idempotencyKey, at: now }).catch(
        explainRace,
      )
      if (moved === null) {
        throw new CommandRefused(
          `${email} has less than ${toDecimal(-amountMicros)} ${currency} available: nothing was taken`,
        )
      }
      const subject = `user:${user.id}`
      const available = toDecimal(moved.availableMicros)
      const detail = { userId: user.id, amount: toDecimal(amountMicros), currency, key, available }
      const balance = `available are ${available} ${currency}`
      if (moved.repeated) {
        await requireSameAmount(tx, { userId: user.id, idempotencyKey, amountMicros, currency })
        return { subject, detail, says: `The key ${key} was used before, nothing moved: ${balance}.`, unchanged: true }
      }
      const tells = { balancesOf: [user.id] }
      return { subject, detail, tells, says: `${email}: ${toDecimal(amountMicros)} ${currency}, now ${balance}.` }
    })
  },
}

/** Refuses a credit or debit above the limit unless staff confirm it. */
function refuseLargeCredit(
  given: Arguments,
  credit: { amountMicros: bigint; currency: Currency; limitMicros: bigint | null },
): void {
  const { amountMicros, currency, limitMicros } = credit
  const size = amountMicros < 0n ? -amountMicros : amountMicros
  if (limitMicros === null || size <= limitMicros) return
  const limit = `${toDecimal(limitMicros)} ${currency} (MAX_CREDIT_${currency.toUpperCase()})`
  refuseDoubtful(given, `${toDecimal(amountMicros)} ${currency} is more than the limit of ${limit}`)
}

function explainRace(error: unknown): never {
  if (!isUniqueViolation(error, 'transfers_idempotency')) throw error
  throw new CommandRefused('The same key was used at this very moment: run the command again to see what it did')
}

async function requireSameAmount(
  tx: Db,
  input: { userId: number; idempotencyKey: string; amountMicros: bigint; currency: Currency },
): Promise<void> {
  const earlier = await findAdjustment(tx, input)
  if (earlier === input.amountMicros) return
  const was = earlier === null ? 'something else' : `${toDecimal(earlier)} ${input.currency}`
  throw new CommandRefused(`This key was used for ${was}: nothing moved, take another key`)
}
