import { getRequest, openConnections } from './http-connection.ts'
import type { Buyer } from './people.ts'
import type { Service } from './temporary-house.ts'
import { eachOf } from './work-at-once.ts'

export const CLIENTS = 32
/** The number of accounts per client. An account that only cancels its purchases must pause after a while. */
export const ACCOUNTS_PER_CLIENT = 16

export type Shoppers = {
  /** Each client buys `each` numbers one after another, for its accounts in turn. */
  buy(each: number): Promise<void>
  end(): Promise<void>
}

/** Creates clients that buy and end numbers over handler_api. Their numbers receive no messages. */
export async function openShoppers(
  stack: AsyncDisposableStack,
  service: Service,
  buyers: readonly Buyer[],
): Promise<Shoppers> {
  const connections = await openConnections(stack, service.url, CLIENTS)
  const open: { apiKey: string; id: string }[][] = connections.map(() => [])
  const ask = async (client: number, query: Record<string, string>): Promise<string> => {
    const connection = connections[client]
    if (connection === undefined) throw new Error('a client has no connection')
    const { body } = await connection.ask(getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`))
    return body.toString()
  }
  const buyOne = async (client: number, place: number) => {
    const { apiKey } = buyers[client * ACCOUNTS_PER_CLIENT + (place % ACCOUNTS_PER_CLIENT)] ?? { apiKey: '' }
    const wanted = { action: 'getNumber', service: 'tg', country: '0', operator: 'silent' }
    const bought = await ask(client, { api_key: apiKey, ...wanted })
    const id = /^ACCESS_NUMBER:(\d+):/.exec(bought)?.[1]
    if (id === undefined) throw new Error(`a purchase failed: ${bought}`)
    open[client]?.push({ apiKey, id })
  }
  return {
    buy: (each) =>
      eachOf(CLIENTS, CLIENTS, async (client) => {
        for (let place = 0; place < each; place += 1) await buyOne(client, place)
      }),
    end: () =>
      eachOf(CLIENTS, CLIENTS, async (client) => {
        for (const { apiKey, id } of open[client]?.splice(0) ?? []) {
          const ended = await ask(client, { api_key: apiKey, action: 'setStatus', status: '8', id })
          if (ended !== 'ACCESS_CANCEL') throw new Error(`an end failed: ${ended}`)
        }
      }),
  }
}
