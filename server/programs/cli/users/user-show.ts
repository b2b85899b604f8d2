import { toDecimal } from '#contract/money.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { NO_OPEN_LIMIT, NO_SPEND_LIMIT } from '#server/programs/cli/queries/limits.ts'
import { findUserSheet, type UserSheet } from '#server/programs/cli/queries/users.ts'

export const showUser: Command = {
  name: 'user:show',
  summary: 'show a person, by e-mail or number: money, limits, ways in, what is open, pauses; no secrets',
  values: ['USER'],
  database: 'migrated',
  async run({ pool, clock, tell, remark }, given) {
    const [who = ''] = given.values
    const sheet = await findUserSheet(pool, who, clock.now())
    if (sheet === null) throw new CommandRefused(`There is no user ${who}`)
    const told = toTold(sheet)
    tell(told, `user ${sheet.id}: ${plain(sheet.email ?? 'no e-mail')}`)
    const { id: _id, email: _email, ...rest } = told
    for (const [name, value] of Object.entries(rest)) remark(`  ${name.padEnd(18)} ${shown(value)}`)
    return 0
  },
}

function toTold(sheet: UserSheet) {
  const { available_micros, held_micros, debt_micros, open_numbers_limit, day_spend_limit_micros, ...rest } = sheet
  return {
    ...rest,
    available: available_micros === null ? null : toDecimal(available_micros),
    held: held_micros === null ? null : toDecimal(held_micros),
    debt: debt_micros === null ? null : toDecimal(debt_micros),
    open_numbers_limit: limitOf(open_numbers_limit, NO_OPEN_LIMIT, String),
    day_spend_limit: limitOf(day_spend_limit_micros, NO_SPEND_LIMIT, toDecimal),
  }
}

function limitOf<T>(limit: T | null, none: T, write: (limit: T) => string): string {
  if (limit === null) return 'default'
  return limit === none ? 'none' : write(limit)
}

function shown(value: unknown): string {
  if (value === null) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? plain(value) : JSON.stringify(value)
}
