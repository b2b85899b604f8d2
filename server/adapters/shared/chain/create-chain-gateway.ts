import type { Gateway, GatewayFault, GatewayRow } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { beginQuote } from './begin-quote.ts'
import type { Chain, ChainFamily } from './chain.ts'
import { readChain } from './chain-settings.ts'
import { followChain } from './follow-chain.ts'
import { findFaults } from './queries/findings.ts'
import { findWatch } from './queries/watches.ts'
import { readChainFacts } from './read-facts.ts'

/** A gateway for transfers to one permanent address per user. It has no private key, so staff send refunds by hand. */
export type ChainGateway = Gateway & { readonly chain: Chain }

export function createChainGateway(ctx: Context, row: GatewayRow, family: ChainFamily): ChainGateway {
  const { chain, systems, network } = readChain(ctx, row, family)
  return {
    id: row.id,
    code: row.code,
    systems,
    chain,
    begin: (order) => beginQuote(chain, order, network[order.locale]),
    fetch: (payment) => readChainFacts(chain, payment),
    follow: (signal, payments) => followChain(chain, signal, payments),
    listFaults: () => listChainFaults(chain),
  }
}

export function isChainGateway(gateway: Gateway): gateway is ChainGateway {
  return 'chain' in gateway
}

async function listChainFaults({ ctx, gatewayId, code, behindMs }: Chain): Promise<GatewayFault[]> {
  const watch = await findWatch(ctx.db, gatewayId)
  const { waiting, found, since } = await findFaults(ctx.db, gatewayId)
  const isBehind = ctx.clock.now().getTime() - (watch?.block_at ?? since).getTime() > behindMs
  const isStopped = watch?.stopped != null
  const faults: [GatewayFault['kind'], boolean][] = [
    ['chain-stopped', isStopped],
    ['chain-behind', isBehind && !isStopped],
    ['coin-rate', waiting],
    ['chain-finding', found],
  ]
  return [
    ...faults.flatMap(([kind, stands]) => (stands ? [{ kind, about: code }] : [])),
    ...(watch?.doubted ?? []).map((node) => ({ kind: 'chain-node' as const, about: `${code}, ${node}` })),
  ]
}
