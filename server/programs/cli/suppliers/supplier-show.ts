import { toDecimal } from '#contract/money.ts'
import { DAY } from '#contract/time.ts'
import { NORM_FROM_MS, NORM_UNTIL_MS, Norms } from '#server/core/catalog/health/norms.ts'
import { type CallSum, sumCalls } from '#server/core/catalog/health/queries/calls.ts'
import { type LostOrders, listLostOrders } from '#server/core/catalog/health/queries/lost-orders.ts'
import { sumOutcomeHours } from '#server/core/catalog/health/queries/outcomes.ts'
import { sumReusedIds } from '#server/core/catalog/health/queries/reused-ids.ts'
import {
  findShownSupplier,
  findSupplierId,
  type ShownSupplier,
  sumOutcomesOf,
} from '#server/core/catalog/health/queries/shown.ts'
import { answerTimes, SHARE_WINDOW_MS, shareOf } from '#server/core/catalog/health/shown-shares.ts'
import { type Command, CommandRefused, type DatabaseCli } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { describeStanding } from './describe-standing.ts'

const WINDOWS = [
  { name: '15 min', ms: SHARE_WINDOW_MS['15m'] },
  { name: '1 h', ms: SHARE_WINDOW_MS['1h'] },
  { name: '24 h', ms: SHARE_WINDOW_MS['24h'] },
] as const

export const showSupplier: Command = {
  name: 'supplier:show',
  summary:
    'show how a supplier stands: link, last SMS, calls and errors of a day, share of codes against its norm, balance, orders without an answer',
  values: ['CODE'],
  database: 'migrated',
  async run(cli, { values }) {
    const [code = ''] = values
    const id = await findSupplierId(cli.pool, code)
    const supplier = id === null ? null : await findShownSupplier(cli.pool, id)
    if (supplier === null) throw new CommandRefused(`There is no supplier ${code}`)
    const shares = await readShares(cli, supplier.id)
    const now = cli.clock.now()
    const lost = await listLostOrders(cli.pool, { supplierId: supplier.id, now })
    const since = new Date(now.getTime() - DAY)
    const calls = (await sumCalls(cli.pool, { supplierId: supplier.id, since })).map(toShownCalls)
    const reused = (await sumReusedIds(cli.pool, since)).find(({ supplier_id: of }) => of === supplier.id)?.count ?? 0
    const { balance_micros: micros, reason, ...rest } = supplier
    const balance = micros === null ? null : toDecimal(micros)
    const shown = { balance, shares, calls, lost_orders: lost, reused_ids: reused }
    const lines = [...headLines(supplier, balance), ...lost.map(lostLine), ...reusedLines(reused)]
    cli.tell(
      { ...rest, reason: reason === null ? null : plain(reason), ...shown },
      [...lines, ...shares.map(shareLine), ...calls.map(callLine)].join('\n'),
    )
    return 0
  },
}

type ShownShare = { window: string; purchases: number; codes: number; share: number | null; norm: number | null }

async function readShares(cli: DatabaseCli, supplierId: number): Promise<ShownShare[]> {
  const before = (ms: number) => new Date(cli.clock.now().getTime() - ms)
  const sums = await sumOutcomeHours(cli.pool, { from: before(NORM_FROM_MS), until: before(NORM_UNTIL_MS) })
  const normOf = new Norms(sums).of(supplierId)
  const shown: ShownShare[] = []
  for (const { name, ms } of WINDOWS) {
    const pairs = await sumOutcomesOf(cli.pool, { supplierId, since: before(ms) })
    shown.push({ window: name, ...shareOf(pairs, normOf) })
  }
  return shown
}

function toShownCalls({ milliseconds_counts: counts, ...sum }: CallSum) {
  return { ...sum, ...answerTimes(counts) }
}

function headLines(supplier: ShownSupplier, balance: string | null): string[] {
  const { code, kind, removed_at: removedAt, last_sms_at: smsAt, stock, balance_at: balanceAt } = supplier
  const { weight_percent: weight, purchases_per_minute: perMinute } = supplier
  const state = removedAt === null ? describeStanding(supplier) : `out of service since ${removedAt.toISOString()}`
  return [
    `${code} (${kind}): ${state}`,
    `last SMS ${smsAt?.toISOString() ?? 'never'}, ${stock ?? 'no'} numbers`,
    `weight ${weight} %, ${perMinute ?? 'any number of'} purchases a minute`,
    ...(balance === null || balanceAt === null
      ? []
      : [`balance ${balance} ${supplier.balance_currency} at ${balanceAt.toISOString()}`]),
  ]
}

function lostLine({ service, country, count, since }: LostOrders): string {
  return `${service} in ${country}: ${count} orders without an answer since ${since.toISOString()}; nothing more of it is sold until they are found`
}

function reusedLines(count: number): string[] {
  return count === 0 ? [] : [`dropped in 24 h: ${count} messages whose ids had come before with other words`]
}

function shareLine({ window, purchases, codes, share, norm }: ShownShare): string {
  if (share === null) return `${window}: nothing was bought`
  const percent = (value: number) => `${Math.round(value * 100)} %`
  return `${window}: ${codes} codes of ${purchases} purchases, ${percent(share)}, norm ${norm === null ? 'unknown' : percent(norm)}`
}

function callLine({ call, calls, errors, median_ms: median, p95_ms: p95 }: ReturnType<typeof toShownCalls>): string {
  const within = (ms: number | null) => (ms === null ? 'more than 8000 ms' : `${ms} ms`)
  return `${call} in 24 h: ${calls} calls, ${errors} errors, half within ${within(median)}, 95 % within ${within(p95)}`
}
