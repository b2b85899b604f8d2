import { z } from 'zod'
import { MINUTE, SECOND } from '#contract/time.ts'
import { addressFault } from '#server/adapters/shared/ask-vendor.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type { GatewayRow, PaymentSystem } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { type Asset, type Chain, type ChainFamily, COIN } from './chain.ts'
import { readExtendedKey } from './derive-address.ts'
import { createNodePool } from './node-pool.ts'
import { createRpcNode } from './rpc-node.ts'
import { parseUnits } from './units.ts'

const url = z.url({ protocol: /^https?$/ })
const nodeSchema = z.union([
  url.transform((address) => ({ url: address, headers: {} })),
  z.strictObject({ url, headers: z.record(z.string().max(100), z.string().max(1_000)) }),
])

const assetSchema = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{2,10}$/, 'is such as USDT'),
  /** The symbol that the contract returns, if it differs from `symbol`, such as USD₮0. */
  chain_symbol: z.string().min(1).max(32).optional(),
  /** The contract of a token, or null for the coin of the chain. */
  contract: z.string().nullable(),
  decimals: z.number().int().min(0).max(36),
  /** The asset's name in `rate:list`. */
  rate: z.string().regex(/^[a-z0-9]{2,10}$/, 'is such as usdt'),
  rate_max_age_minutes: z.number().int().min(1).max(1_440).default(60),
  /** The smallest amount that is credited. */
  dust: z.string(),
  places: z.number().int().min(0).max(18).optional(),
})

const settingsSchema = z.strictObject({
  rpc: z.array(nodeSchema).min(1).max(5),
  agree: z.number().int().min(1).max(5).optional(),
  timeout_seconds: z.number().int().min(1).max(30).default(8),
  chain_id: z.number().int().min(1),
  network: z.strictObject({ en: z.string().min(1).max(40), ru: z.string().min(1).max(40) }),
  confirmations: z.number().int().min(1).max(1_000),
  finality: z.enum(['depth', 'finalized']).default('depth'),
  xpub: z.string().min(100).max(120),
  assets: z.array(assetSchema).min(1).max(10),
  /** The age of the newest block read, in minutes, at which staff are warned. */
  behind_minutes: z.number().int().min(1).max(1_440).default(15),
  systems: systemsSchema,
})
export type ChainSettings = z.output<typeof settingsSchema>

const OPEN_MINUTES = 20
const BLOCKS_A_MINUTE = 5
const LIMITS = {
  rub: { minMicros: 100_000_000n, maxMicros: 1_000_000_000_000n },
  usd: { minMicros: 1_000_000n, maxMicros: 10_000_000_000n },
}

/** Checks the settings without asking a node. Throws an error that names every fault, but no key or node URL. */
export function readChain(
  ctx: Context,
  row: GatewayRow,
  family: ChainFamily,
): { chain: Chain; systems: PaymentSystem[]; network: ChainSettings['network'] } {
  const settings = readSettings(settingsSchema, row.settings)
  const { rpc, chain_id: chainId, network } = settings
  for (const node of rpc) {
    const fault = addressFault(node.url)
    if (fault !== null) throw new Error(`rpc: ${fault}`)
  }
  const need = settings.agree ?? (rpc.length > 2 ? rpc.length - 1 : rpc.length)
  if (need > rpc.length) throw new Error(`agree: there are only ${rpc.length} nodes`)
  if (need * 2 <= rpc.length) throw new Error('agree: is more than half of the nodes')
  const timeoutMs = settings.timeout_seconds * SECOND
  const nodes = rpc.map((node, place) => createRpcNode(place + 1, { ...node, timeoutMs }))
  const assets = settings.assets.map((asset) => toAsset(row.code, asset, family))
  if (new Set(assets.map(({ key }) => key)).size < assets.length)
    throw new Error('assets: a contract stands there twice')
  if (new Set(assets.map(({ system }) => system)).size < assets.length)
    throw new Error('assets: a symbol stands there twice')
  const chain: Chain = {
    ctx,
    gatewayId: row.id,
    code: row.code,
    family,
    assets,
    nodes,
    chainId: BigInt(chainId),
    name: `${family.name}:${chainId}`,
    pool: createNodePool(ctx.clock, { nodes, need }),
    confirmations: BigInt(settings.confirmations),
    finality: settings.finality,
    behindMs: settings.behind_minutes * MINUTE,
    ...readExtendedKey(settings.xpub),
    memory: { isChecked: false, isFollowing: false, toldHead: null },
  }
  return { chain, systems: toSystems(row.code, settings), network }
}

function toAsset(code: string, given: ChainSettings['assets'][number], family: ChainFamily): Asset {
  const { symbol, contract, decimals, rate, places } = given
  const key = contract === null ? COIN : family.read(contract)
  if (key === null) throw new Error(`assets: the contract of ${symbol} is no address of this chain`)
  if (key === COIN && !family.hasCoin) throw new Error('assets: the coin of this chain is not taken, only tokens')
  const dust = parseUnits(given.dust, decimals)
  if (dust === null) throw new Error(`assets: dust of ${symbol} is such as "1.00"`)
  return {
    key,
    symbol,
    decimals,
    rate,
    dust,
    places,
    chainSymbol: given.chain_symbol ?? symbol,
    system: `${code}-${suffixOf(symbol)}`,
    rateMaxAgeMs: given.rate_max_age_minutes * MINUTE,
  }
}

const suffixOf = (symbol: string): string => symbol.toLowerCase()

function toSystems(code: string, settings: ChainSettings): PaymentSystem[] {
  const { network, confirmations } = settings
  return describeSystems(
    code,
    settings.systems,
    settings.assets.map(({ symbol }) => ({
      suffix: suffixOf(symbol),
      form: 'transfer',
      mark: suffixOf(symbol),
      names: { en: `${symbol}, ${network.en}`, ru: `${symbol}, ${network.ru}` },
      limits: LIMITS,
      minutes: Math.ceil(confirmations / BLOCKS_A_MINUTE) + 1,
      lifetimeMs: OPEN_MINUTES * MINUTE,
      isCard: false,
      hasOneOpen: true,
    })),
  )
}
