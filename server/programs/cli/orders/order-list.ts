import { toDecimal } from '#contract/money.ts'
import { maskPhone } from '#server/core/numbers/listing/mask-phone.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import {
  PAGE_OPTIONS,
  readAfterId,
  readCountry,
  readLimit,
  readPhone,
  readSince,
  remarkPage,
} from '#server/programs/cli/listing.ts'
import { listOrders, type OrderRow, PAID_FOR, type PaidFor } from '#server/programs/cli/queries/orders.ts'
import type { Told } from '#server/programs/cli/say.ts'
import { requireUser } from '#server/programs/cli/users/find-account.ts'

const KINDS = ['activation', 'rental'] as const

export const listAllOrders: Command = {
  name: 'order:list',
  summary:
    'list orders, newest first: activations, or with --kind rental rentals; by --state (open: not ended), phone, buyer and the rest; --paid-for text: charged by a message without a code; notice: its buyer opened one; not-mine: reported as no code; numbers are whole only when asked for by --phone',
  options: {
    kind: { shows: KINDS.join('|') },
    state: { shows: 'STATE|open' },
    phone: { shows: '77051234567' },
    user: { shows: 'EMAIL' },
    service: { shows: 'tg' },
    country: { shows: '2' },
    supplier: { shows: 'CODE' },
    since: { shows: '24h' },
    'paid-for': { shows: PAID_FOR.join('|') },
    ...PAGE_OPTIONS,
  },
  database: 'migrated',
  async run(cli, { options }) {
    const kind = KINDS.find((one) => one === (options.kind ?? 'activation'))
    if (kind === undefined) throw new WrongUsage(`--kind is one of ${KINDS.join(', ')}`)
    const limit = readLimit(options.limit)
    const rows = await listOrders(cli.pool, {
      kind,
      userId: options.user === undefined ? null : (await requireUser(cli.pool, options.user)).id,
      phone: readPhone(options.phone),
      state: options.state ?? null,
      serviceCode: options.service ?? null,
      countryId: readCountry(options.country),
      supplier: options.supplier ?? null,
      since: readSince(options.since, cli.clock.now()),
      paidFor: readPaidFor(kind, options['paid-for']),
      after: readAfterId(options.after),
      limit,
    })
    for (const row of rows) {
      const phone = options.phone === undefined && row.phone !== null ? maskPhone(row.phone) : row.phone
      cli.tell(toTold(kind, { ...row, phone }), describe(kind, { ...row, phone }))
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

function readPaidFor(kind: string, given: string | undefined): PaidFor | null {
  if (given === undefined) return null
  const found = PAID_FOR.find((one) => one === given)
  if (found === undefined || kind !== 'activation') {
    throw new WrongUsage(`--paid-for is one of ${PAID_FOR.join(', ')}, of activations`)
  }
  return found
}

export function toTold(kind: string, row: OrderRow): Told {
  const { service_code, price_micros, cost_micros, cost_rate_micros: rate, ...rest } = row
  const cost = cost_micros === null ? null : toDecimal(cost_micros)
  return {
    kind,
    ...rest,
    service_id: service_code,
    price: toDecimal(price_micros),
    cost,
    cost_rate: rate === null ? null : toDecimal(rate),
  }
}

function describe(kind: string, row: OrderRow): string {
  const { id, created_at, state, service_code, country_id, price_micros, currency, money, supplier, phone } = row
  const what = `${service_code}/${country_id} ${toDecimal(price_micros)} ${currency} ${money}`
  const who = `${row.email ?? 'no e-mail'} (user ${row.user_id})`
  const prefix = kind === 'rental' ? 'rental:' : ''
  return `${prefix}${id} ${created_at.toISOString()} ${state} ${what}, ${supplier} ${phone ?? 'no number'}, ${row.sms_count} messages, ${who}`
}
