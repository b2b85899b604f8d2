import { wholeCents } from '#contract/formats/payment-terms.ts'
import type { Settling } from '#server/core/gateways/gateway.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { findPrice, type UsedRate, worthOf } from '#server/house/rates/find-price.ts'
import type { Asset, Chain } from './chain.ts'
import { bindDeposit, type DueDeposit, listDue, listUnbound, setDepositState, storeWorth } from './queries/deposits.ts'
import { insertFinding } from './queries/findings.ts'
import { lockQuote, type QuoteInUse } from './queries/quotes.ts'

const BATCH = 100
const MOST_UNBOUND = 500
/** The highest plausible value of a deposit. A thousand million means a wrong rate or token, so staff must check it. */
const MOST_MICROS = 1_000_000_000_000_000n
/** The time by which a block may seem older than the quote that it pays. */
const CLOCK_TOLERANCE_MS = 15_000

export async function bindDeposits({ ctx, gatewayId, assets }: Chain, payments: Settling): Promise<void> {
  for (const { id, user_id: userId, asset, block_at: at } of await listUnbound(ctx.db, {
    gatewayId,
    limit: MOST_UNBOUND,
  })) {
    const system = assets.find(({ key }) => key === asset)?.system
    if (system === undefined) continue
    await transaction(ctx.db, async (tx) => {
      const transactionId = await payments.choose(tx, { gatewayId, userId, system, at })
      if (transactionId !== null) await bindDeposit(tx, { id, transactionId })
    })
  }
}

/** Values deposits with enough confirmations, for good, so that later rates do not change their value. */
export async function valueDeposits(chain: Chain, finalHeight: bigint, payments: Settling): Promise<void> {
  const { ctx, gatewayId } = chain
  // A deposit whose asset is missing in the settings waits until the settings name it.
  const assets = chain.assets.map(({ key }) => key)
  for (const deposit of await listDue(ctx.db, { gatewayId, assets, finalHeight, limit: BATCH })) {
    const asset = chain.assets.find(({ key }) => key === deposit.asset)
    if (asset !== undefined) await valueDeposit(chain, { deposit, asset, payments })
  }
}

type Due = { deposit: DueDeposit; asset: Asset; payments: Settling }

async function valueDeposit(chain: Chain, { deposit, asset, payments }: Due): Promise<void> {
  const { ctx, gatewayId } = chain
  const { id, units, currency, user_id: userId } = deposit
  await transaction(ctx.db, async (tx) => {
    const { transaction_id: bound } = deposit
    const quote = bound === null ? null : await lockQuote(tx, { transactionId: bound, asset: asset.key })
    const quoted = quotedPart(deposit, quote)
    const restUnits = units - quoted.units
    const since = new Date(ctx.clock.now().getTime() - asset.rateMaxAgeMs)
    const found = restUnits === 0n ? null : await findPrice(tx, { asset: asset.rate, currency, since })
    if (restUnits > 0n && found === null) {
      await setDepositState(tx, { id, state: 'waiting' })
      return
    }
    const rest = found === null ? 0n : worthOf(restUnits, asset.decimals, found)
    const valueMicros = quoted.micros + rest
    const amountMicros = wholeCents(valueMicros)
    if (valueMicros === 0n || (bound === null && amountMicros === 0n)) {
      await setDepositState(tx, { id, state: 'dust' })
      return
    }
    if (valueMicros > MOST_MICROS) return hold(chain, { tx, deposit })
    const transactionId = bound ?? (await payments.begin(tx, { gatewayId, userId, system: asset.system, amountMicros }))
    const rate = found ?? rateOf(quote)
    const now = ctx.clock.now()
    return storeWorth(tx, { id, transactionId, quotedUnits: quoted.units, valueMicros, ...rate, now })
  })
}

/**
 * Returns the part of a deposit that gets the promised rate. A deposit in time gets it up to the promised amount. So
 * the full amount is worth exactly the requested sum, and partial deposits add up to it in any order.
 */
function quotedPart(deposit: DueDeposit, quote: QuoteInUse | null): { units: bigint; micros: bigint } {
  const none = { units: 0n, micros: 0n }
  if (quote === null) return none
  const at = deposit.block_at.getTime()
  const isInTime = at >= quote.created_at.getTime() - CLOCK_TOLERANCE_MS && at <= quote.expires_at.getTime()
  const left = quote.units - quote.used_units
  if (!isInTime || left <= 0n) return none
  const units = deposit.units < left ? deposit.units : left
  const through = (used: bigint) => (quote.amount_micros * used) / quote.units
  return { units, micros: through(quote.used_units + units) - through(quote.used_units) }
}

function rateOf(quote: QuoteInUse | null): UsedRate {
  if (quote === null) throw new Error('a deposit has neither quote nor rate')
  const { rub_micros: rubMicros, usd_rub_micros: usdRubMicros, rate_source: rateSource, rate_at: rateAt } = quote
  return { rubMicros, usdRubMicros, rateSource, rateAt }
}

async function hold(
  { ctx, gatewayId }: Chain,
  { tx, deposit }: { tx: Parameters<typeof insertFinding>[0]; deposit: DueDeposit },
): Promise<void> {
  const { id, user_id: userId, asset, units, address, block_number: height } = deposit
  if (!(await setDepositState(tx, { id, state: 'held' }))) return
  const finding = { gatewayId, kind: 'held', subject: `deposit ${id}`, userId, address, asset, units, height } as const
  await insertFinding(tx, { ...finding, now: ctx.clock.now() })
}
