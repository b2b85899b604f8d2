import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readLimit, readSince, remarkPage } from '#server/programs/cli/listing.ts'
import { listPaymentSheets, type PaymentSheet } from '#server/programs/cli/queries/payments.ts'
import type { Told } from '#server/programs/cli/say.ts'
import { requireUser } from '#server/programs/cli/users/find-account.ts'

export const listAllPayments: Command = {
  name: 'payment:list',
  summary:
    'list payments, newest first, by --state (open: not ended, refunding: a refund has not ended, waiting: coins wait for a rate, unowned: money that came after its payer had left), gateway and payer',
  options: {
    state: { shows: 'STATE|open|refunding|waiting|unowned' },
    gateway: { shows: 'CODE' },
    user: { shows: 'EMAIL' },
    since: { shows: '24h' },
    ...PAGE_OPTIONS,
  },
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listPaymentSheets(cli.pool, {
      state: options.state ?? null,
      gateway: options.gateway ?? null,
      userId: options.user === undefined ? null : (await requireUser(cli.pool, options.user)).id,
      since: readSince(options.since, cli.clock.now()),
      after: readAfterId(options.after),
      limit,
    })
    for (const row of rows) cli.tell(toTold(row), describe(row))
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

export function toTold({ amount_micros, received_micros, reversed_micros, asked_micros, ...row }: PaymentSheet): Told {
  const [amount, received] = [toDecimal(amount_micros), toDecimal(received_micros)]
  return { ...row, amount, received, reversed: toDecimal(reversed_micros), refunding: toDecimal(asked_micros) }
}

export function describe(row: PaymentSheet): string {
  const money = `${toDecimal(row.received_micros)} of ${toDecimal(row.amount_micros)} ${row.currency}`
  const refunding = row.asked_micros === 0n ? '' : `, ${toDecimal(row.asked_micros)} asked to be paid back`
  const who = `${row.email ?? 'no e-mail'} (user ${row.user_id})`
  return `${row.id} ${row.created_at.toISOString()} ${row.state} ${money} by ${row.system} (${row.gateway}), ${who}${refunding}`
}
