import { getRequest, openConnections } from '../parts/http-connection.ts'
import { eachOf } from '../parts/work-at-once.ts'
import type { Load } from './compare.ts'
import { openSide } from './open-side.ts'
import type { Side } from './sides.ts'

const CLIENTS = 32
const ENDS_PER_CLIENT = 32
/** An account that only cancels has to pause after a while. */
const ACCOUNTS_PER_CLIENT = 16

/** `setStatus=8` of handler_api for numbers that were bought before. */
export async function ends(stack: AsyncDisposableStack, side: Side): Promise<Load> {
  const { service, pids } = await openSide(stack, side, { environment: { EARLY_CANCEL_SECONDS: '0' } })
  const buyers = await side.addBuyers(service.db, CLIENTS * ACCOUNTS_PER_CLIENT)
  const open: { apiKey: string; id: string }[][] = []
  const ask = async (client: number, query: Record<string, string>): Promise<string> => {
    const connection = connections[client]
    if (connection === undefined) throw new Error('a client has no connection')
    const { body } = await connection.ask(getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`))
    return body.toString()
  }
  const connections = await openConnections(stack, service.url, CLIENTS)
  const buy = async (client: number, place: number) => {
    const { apiKey } = buyers[client * ACCOUNTS_PER_CLIENT + (place % ACCOUNTS_PER_CLIENT)] ?? { apiKey: '' }
    const wanted = { action: 'getNumber', service: 'tg', country: '0', operator: 'silent' }
    const bought = await ask(client, { api_key: apiKey, ...wanted })
    const id = /^ACCESS_NUMBER:(\d+):/.exec(bought)?.[1]
    if (id === undefined) throw new Error(`a purchase failed: ${bought}`)
    return { apiKey, id }
  }
  const prepare = () =>
    eachOf(CLIENTS, CLIENTS, async (client) => {
      const numbers = []
      for (let place = 0; place < ENDS_PER_CLIENT; place += 1) numbers.push(await buy(client, place))
      open[client] = numbers
    })
  const round = async () => {
    const startedAt = performance.now()
    await eachOf(CLIENTS, CLIENTS, async (client) => {
      for (const { apiKey, id } of open[client] ?? []) {
        const ended = await ask(client, { api_key: apiKey, action: 'setStatus', status: '8', id })
        if (ended !== 'ACCESS_CANCEL') throw new Error(`an end failed: ${ended}`)
      }
    })
    const operations = ENDS_PER_CLIENT * CLIENTS
    return { operations, figures: { 'ends a second': (operations * 1000) / (performance.now() - startedAt) } }
  }
  return { pids, prepare, round }
}
