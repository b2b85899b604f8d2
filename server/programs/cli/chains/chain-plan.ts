import { type Chain, COIN } from '#server/adapters/shared/chain/chain.ts'
import { isChainGateway } from '#server/adapters/shared/chain/create-chain-gateway.ts'
import { findWatch } from '#server/adapters/shared/chain/queries/watches.ts'
import { readBalance } from '#server/adapters/shared/chain/read-blocks.ts'
import { formatUnits } from '#server/adapters/shared/chain/units.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import { gatewayKinds } from '#server/programs/boot/kinds/gateway-kinds.ts'
import { type Command, CommandRefused, type DatabaseCli } from '#server/programs/cli/command.ts'
import { idleContext } from '#server/programs/cli/idle-context.ts'
import { readAfterId, readLimit } from '#server/programs/cli/listing.ts'
import { findGatewayRow, listUsedAddresses, type UsedAddress } from '#server/programs/cli/queries/chains.ts'
import { sealingKey } from '#server/programs/cli/settings/sealing-key.ts'

const AT_ONCE = 8
/** The time limit for reading the balances of all listed addresses, in ms. */
const LIMIT_MS = 120_000

export const planChain: Command = {
  name: 'chain:plan',
  summary: 'what stands where on a chain, for the wallet of the owner: index of the key, address, asset, amount',
  values: ['GATEWAY'],
  options: { limit: { shows: '1-500' }, after: { shows: 'INDEX' } },
  database: 'migrated',
  async run(cli, { values: [code = ''], options }) {
    const limit = readLimit(options.limit)
    const chain = await requireChain(cli, code)
    const after = options.after === undefined ? -1 : Number(readAfterId(options.after))
    const { gatewayId } = chain
    const used = await listUsedAddresses(cli.pool, { gatewayId, after, limit })
    const known = chain.family.hasHistory ? (await findWatch(cli.pool, gatewayId))?.final_height : null
    const height = known ?? 'latest'
    const header = { gateway: code, chain: chain.name, height, used: used.length }
    cli.tell(header, `${code} (${chain.name}), block ${height}: ${used.length} addresses with an asset have been used.`)
    const signal = AbortSignal.timeout(LIMIT_MS)
    for (let from = 0; from < used.length; from += AT_ONCE) {
      const page = used.slice(from, from + AT_ONCE)
      const balances = await Promise.all(
        page.map(({ address, asset }) => readBalance(chain, { address, asset, height }, signal)),
      )
      for (const [place, row] of page.entries()) tellOf(cli, { chain, row, units: balances[place] ?? null })
    }
    if (used.length === limit) cli.remark(`There may be more: --after ${(used.at(-1)?.place ?? 0) - 1}`)
    return 0
  },
}

/** Prints an address with its balance unless that is zero. Null units mean that the nodes disagree about it. */
function tellOf(
  { tell }: DatabaseCli,
  { chain, row, units }: { chain: Chain; row: UsedAddress; units: bigint | null },
): void {
  if (units === 0n) return
  const asset = chain.assets.find(({ key }) => key === row.asset)
  const symbol = asset?.symbol ?? row.asset
  const amount = units === null || asset === undefined ? null : formatUnits(units, asset.decimals)
  const { branch, place: index, user_id: userId } = row
  const address = chain.family.show(row.address)
  const told = {
    index,
    path: `0/${index}`,
    branch,
    address,
    userId,
    asset: symbol,
    amount,
    units: units?.toString() ?? null,
  }
  const contract = row.asset === COIN ? null : chain.family.show(row.asset)
  tell(
    { ...told, contract },
    `0/${index} ${address}: ${amount ?? 'its nodes do not agree on the'} ${symbol} (user ${userId})`,
  )
}

/** Builds the blockchain of a gateway from its settings. Throws CommandRefused. */
async function requireChain(cli: DatabaseCli, code: string): Promise<Chain> {
  const row = await findGatewayRow(cli.pool, code)
  if (row === null) throw new CommandRefused(`There is no gateway ${code}`)
  const { value: settings } = unseal(row.settings, [await sealingKey(cli), ...cli.previousSecretKeys])
  const gateway = await gatewayKinds[row.kind]?.(idleContext(cli), { ...row, settings })
  if (gateway === undefined || !isChainGateway(gateway)) throw new CommandRefused(`${code} is of no chain`)
  return gateway.chain
}
