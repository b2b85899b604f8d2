import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { plain } from '#server/programs/cli/listing.ts'
import { type GatewaySummary, listGateways } from '#server/programs/cli/queries/gateways.ts'

export const listAllGateways: Command = {
  name: 'gateway:list',
  summary:
    'list the gateways with state, last success, open payments, refunds under way and money in; their settings are not shown',
  database: 'migrated',
  async run({ pool, clock, tell, remark }) {
    const gateways = await listGateways(pool, clock.now())
    if (gateways.length === 0) remark('There is no gateway yet: nobody can pay.')
    for (const { sums, ...gateway } of gateways) {
      const money = (sums ?? []).map(({ currency, micros }) => ({ currency, amount: toDecimal(BigInt(micros)) }))
      const parts = [
        stateOf(gateway),
        `${gateway.open} payments open`,
        money.length === 0
          ? 'no money yet'
          : money.map(({ amount, currency }) => `${amount} ${currency}`).join(' and '),
        ...chainOf(gateway),
        ...(gateway.stored_events === 0 ? [] : [`${gateway.stored_events} events wait`]),
        ...(gateway.refunds_since === null
          ? []
          : [`${gateway.refunds} refunds asked, the first ${gateway.refunds_since.toISOString()}`]),
        // An event is refused if it is forged, or if the configured secret for webhooks is wrong.
        ...(gateway.refused_events === 0 ? [] : [`${gateway.refused_events} events REFUSED within a day`]),
      ]
      tell({ ...gateway, money }, `${gateway.code} (${gateway.kind}): ${parts.join(', ')}`)
    }
    return 0
  },
}

function chainOf({ height, head, stopped }: Pick<GatewaySummary, 'height' | 'head' | 'stopped'>): string[] {
  if (stopped !== null) return [`STOPPED: ${plain(stopped)}`]
  return height === null ? [] : [`block ${height} of ${head ?? height}`]
}

function stateOf(gateway: Omit<GatewaySummary, 'sums'>): string {
  const { paused_at: pausedAt, last_success_at: success, failing_since: since, last_failure: words } = gateway
  const state = pausedAt === null ? 'at work' : `paused since ${pausedAt.toISOString()}`
  const answered = success === null ? 'never answered' : `answered last ${success.toISOString()}`
  if (since !== null) return `${state}, FAILING since ${since.toISOString()}, ${answered} (${plain(words ?? '')})`
  return success === null ? `${state}, not called yet` : `${state}, last success ${success.toISOString()}`
}
