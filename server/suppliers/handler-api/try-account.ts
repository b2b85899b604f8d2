import { toDecimal } from '#contract/money.ts'
import type { SupplierFinding } from '#server/suppliers/supplier.ts'
import { type Account, lookAtActive } from './account.ts'
import { askBalance } from './balance.ts'
import { Names } from './names.ts'
import { readCodes } from './queries/codes.ts'
import { MOST_PRICE_BYTES } from './wire/ask.ts'
import { readPrices } from './wire/read-prices.ts'

/** Reads only: key, balance, prices and open activations. */
export async function tryAccount(account: Account): Promise<SupplierFinding[]> {
  return [
    await finding(
      'key and balance',
      async () => `${toDecimal(await askBalance(account))} ${account.settings.currency}`,
    ),
    await finding('prices', () => tellPrices(account)),
    await finding('open activations', () => tellActive(account)),
  ]
}

async function finding(what: string, work: () => Promise<string>): Promise<SupplierFinding> {
  try {
    return { what, works: true, says: await work() }
  } catch (error) {
    return { what, works: false, says: error instanceof Error ? error.message : String(error) }
  }
}

async function tellPrices({ ctx, supplierId, ask, dialect }: Account): Promise<string> {
  const { action, shape } = dialect.prices
  const reply = await ask({ action, mostBytes: MOST_PRICE_BYTES })
  const read = reply.word === null ? readPrices(reply.json, shape) : null
  if (read === null) throw new Error(`they cannot be read: ${reply.word ?? `status ${reply.status}`}`)
  const names = new Names(await readCodes(ctx.db, supplierId))
  const known = read.pairs.filter(
    ({ service, country }) => names.ours('service', service) != null && names.ours('country', country) != null,
  )
  const rest = read.pairs.length - known.length
  return `${known.length} pairs to sell, ${rest} under codes that are unknown or left out, ${read.broken} unreadable`
}

async function tellActive(account: Account): Promise<string> {
  if (account.dialect.list === null) return 'this dialect has no list of them: each number is asked about'
  return `${(await lookAtActive(account, { fresh: true })).length} open`
}
