import { HOUR } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { type Chain, COIN } from './chain.ts'
import { type CoinExpected, insertFinding, listCoinExpected, storeBalance, sumCoin } from './queries/findings.ts'
import { readBalance } from './read-blocks.ts'

const MOST_AT_ONCE = 50
const EXPECTED_FOR_MS = HOUR

/**
 * Finds coin that a contract sent to an address without a transaction. The balance is compared with the sum of
 * transactions. Only addresses that expect coin are checked, and staff decide what to credit.
 */
export async function findInternal(chain: Chain, height: bigint, signal: AbortSignal): Promise<void> {
  if (!chain.assets.some(({ key }) => key === COIN)) return
  const { ctx, gatewayId } = chain
  const since = new Date(ctx.clock.now().getTime() - EXPECTED_FOR_MS)
  const expected = await listCoinExpected(ctx.db, { gatewayId, asset: COIN, since, limit: MOST_AT_ONCE })
  await Promise.all(expected.map((one) => compare(chain, { one, height, signal })))
}

async function compare(
  chain: Chain,
  { one, height, signal }: { one: CoinExpected; height: bigint; signal: AbortSignal },
): Promise<void> {
  const { address, height: before, units: had, user_id: userId } = one
  if (before !== null && before >= height) return
  const { ctx, gatewayId } = chain
  const has = await readBalance(chain, { address, asset: COIN, height }, signal)
  if (has === null) return
  await transaction(ctx.db, async (tx) => {
    if (before !== null && had !== null) {
      const brought = await sumCoin(tx, { gatewayId, address, asset: COIN, after: before, through: height })
      const units = has - had - brought
      // A negative difference means that the addresses' owner has moved coin away.
      const finding = { gatewayId, userId, address, asset: COIN, units, height, now: ctx.clock.now() }
      if (units > 0n) await insertFinding(tx, { ...finding, kind: 'internal', subject: `${address} ${height}` })
    }
    await storeBalance(tx, { gatewayId, address, height, units: has })
  })
}
