import { type Currency, parseDecimal, toDecimal } from '#contract/money.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import {
  type AccountLimits,
  lockLimits,
  NO_OPEN_LIMIT,
  NO_SPEND_LIMIT,
  setLimits,
} from '#server/programs/cli/queries/limits.ts'
import { requireAccount, requireUser } from './find-account.ts'

const STANDARD = 'default'
const NONE = 'none'
const MOST_OPEN_NUMBERS = 1_000_000

export const limitUser: Command = {
  name: 'user:limit',
  summary: 'how many numbers a user may have open at once, and spend within 24 hours in their currency',
  values: ['EMAIL'],
  options: { open: { shows: `N|${NONE}|${STANDARD}` }, 'day-spend': { shows: `5000.00|${NONE}|${STANDARD}` } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const [email = ''] = given.values
    const { open, 'day-spend': daySpend } = given.options
    if (open === undefined && daySpend === undefined) throw new WrongUsage('Give --open, --day-spend or both')
    const wanted = {
      ...(open !== undefined && { openNumbers: readOpen(open) }),
      ...(daySpend !== undefined && { daySpendMicros: readSpend(daySpend) }),
    }
    return makeChange(cli, { name: 'user:limit', given }, async (tx) => {
      const user = await requireUser(tx, email)
      const { currency } = await requireAccount(tx, user)
      const before = await lockLimits(tx, user.id)
      const after = { ...before, ...wanted }
      await setLimits(tx, { ...after, userId: user.id })
      const subject = `user:${user.id}`
      const [was, is] = [describe(before, currency), describe(after, currency)]
      const same = before.openNumbers === after.openNumbers && before.daySpendMicros === after.daySpendMicros
      if (same) return { subject, detail: {}, says: `${email}: ${is} already.`, unchanged: true }
      return { subject, detail: { email, before: was, after: is }, says: `${email}: ${is} (was ${was}).` }
    })
  },
}

function readOpen(text: string): number | null {
  if (text === STANDARD) return null
  if (text === NONE) return NO_OPEN_LIMIT
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (limit <= MOST_OPEN_NUMBERS) return limit
  throw new WrongUsage(`--open is 0 to ${MOST_OPEN_NUMBERS}, ${NONE} or ${STANDARD}`)
}

function readSpend(text: string): bigint | null {
  if (text === STANDARD) return null
  if (text === NONE) return NO_SPEND_LIMIT
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  throw new WrongUsage(`--day-spend is an amount such as 5000.00, ${NONE} or ${STANDARD}`)
}

function describe({ openNumbers, daySpendMicros }: AccountLimits, currency: Currency): string {
  const open = openNumbers === null ? STANDARD : openNumbers === NO_OPEN_LIMIT ? NONE : String(openNumbers)
  const isSpendNamed = daySpendMicros === null || daySpendMicros === NO_SPEND_LIMIT
  const name = daySpendMicros === null ? STANDARD : NONE
  const spend = isSpendNamed ? name : `${toDecimal(daySpendMicros)} ${currency}`
  return `open numbers ${open}, spend within 24 hours ${spend}`
}
