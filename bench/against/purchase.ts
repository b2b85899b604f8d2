import { getRequest, openConnections } from '../parts/http-connection.ts'
import { perSecond } from '../parts/work-at-once.ts'
import type { Load } from './compare.ts'
import { openSide } from './open-side.ts'
import type { Side } from './sides.ts'

const CLIENTS = 32
/** An account with a thousand active numbers may not buy more, so each client spreads purchases over accounts. */
const ACCOUNTS_PER_CLIENT = 16
const PAST = 10_000
const ROUND_MS = 1_500

/** Returns a load for a benchmark. The load buys numbers by `getNumber` of handler_api. */
export async function purchase(stack: AsyncDisposableStack, side: Side): Promise<Load> {
  const { service, pids } = await openSide(stack, side)
  const buyers = await side.addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const [first] = buyers
  await side.addPastActivations(service.superuserUrl, {
    total: PAST,
    buyerId: first?.userId ?? 0,
    ofBuyer: PAST / 10,
  })
  const requests = buyers.map(({ apiKey }) => {
    const query = { action: 'getNumber', api_key: apiKey, service: 'tg', country: '0', operator: 'silent' }
    return getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`)
  })
  let bought = 0
  const connections = await openConnections(stack, service.url, CLIENTS)
  const round = async () => {
    let operations = 0
    const each = await perSecond(connections, ROUND_MS, async (connection) => {
      // Neighbouring requests belong to different accounts, so that no account buys twice at once.
      const request = requests[bought % requests.length] ?? Buffer.alloc(0)
      bought += 1
      const { body } = await connection.ask(request)
      if (!body.toString().startsWith('ACCESS_NUMBER:')) throw new Error(`a purchase failed: ${body}`)
      operations += 1
    })
    return { operations, figures: { 'purchases a second': each } }
  }
  return { pids, round }
}
