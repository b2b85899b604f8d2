import { toDecimal } from '#contract/money.ts'
import { type Happening, listHappenings, type Order } from '#server/core/numbers/listing/queries/happenings.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { findOrder, type OrderRow } from '#server/programs/cli/queries/orders.ts'
import { toTold } from './order-list.ts'

export const showOrder: Command = {
  name: 'order:show',
  summary:
    'show an activation or rental:ID with its time-line: states, suppliers it was asked of, money, messages without their words, and what staff did',
  values: ['ORDER'],
  database: 'migrated',
  async run({ pool, tell, remark }, given) {
    const order = readOrderId(given.values[0] ?? '')
    const row = await findOrder(pool, order)
    if (row === null) throw new CommandRefused(`There is no ${order.kind} ${order.id}`)
    const timeline = (await listHappenings(pool, order)).map(withAmount)
    tell({ ...toTold(order.kind, row), timeline }, `${order.kind} ${order.id}: ${row.state}`)
    const lines: [string, unknown][] = [
      ['buyer', `${row.email ?? 'no e-mail'} (user ${row.user_id}), by ${row.channel}`],
      ['what', `${row.service_code} in country ${row.country_id}${row.operator === null ? '' : `, ${row.operator}`}`],
      ['number', row.phone ?? 'none'],
      ['price', `${toDecimal(row.price_micros)} ${row.currency}, ${row.money}`],
      ['cost', row.cost_micros === null ? 'none' : costWords(row)],
      ['supplier', `${row.supplier}, attempt ${row.attempt}, its reference ${row.supplier_reference ?? 'none'}`],
      ['messages', row.sms_count],
      ['from', row.created_at.toISOString()],
      ['until', (row.ended_at ?? row.expires_at).toISOString()],
    ]
    for (const [name, value] of lines) remark(`  ${name.padEnd(9)} ${plain(String(value))}`)
    for (const happening of timeline) remark(describe(happening))
    return 0
  },
}

/** Orders of earlier releases have no currency for their cost. */
function costWords({ cost_micros: micros, cost_currency: currency, cost_rate_micros: rate }: OrderRow): string {
  const cost = `${toDecimal(micros ?? 0n)} ${currency ?? ''}`.trim()
  return rate === null ? cost : `${cost}, a dollar was ${toDecimal(rate)} rub`
}

function withAmount({ at, what, data }: Happening): Happening {
  const { amount_micros: micros, ...rest } = data
  if (typeof micros !== 'number') return { at, what, data }
  return { at, what, data: { amount: toDecimal(BigInt(micros)), ...rest } }
}

function describe({ at, what, data }: Happening): string {
  const words = Object.entries(data).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`,
  )
  return `  ${at.toISOString()} ${what}${words.length === 0 ? '' : `: ${words.join(', ')}`}`
}

/** Parses `100000001` as an activation and `rental:500000001` as a rental. */
function readOrderId(text: string): Order {
  const [, rental, id] = /^(rental:)?(?:activation:)?(\d{1,18})$/.exec(text) ?? []
  if (id === undefined) throw new WrongUsage('ORDER is the number of an activation or rental:ID')
  return { kind: rental === undefined ? 'activation' : 'rental', id: BigInt(id) }
}
