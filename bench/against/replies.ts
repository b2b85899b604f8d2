import { getRequest, openConnections } from '../parts/http-connection.ts'
import type { Buyer } from '../parts/people.ts'
import { askOnce } from '../parts/ready-reply.ts'
import type { Service } from '../parts/temporary-house.ts'
import { perSecond } from '../parts/work-at-once.ts'
import type { Load } from './compare.ts'
import { openSide } from './open-side.ts'
import type { Side } from './sides.ts'

const POLLING_CLIENTS = 32
/** Rendering keeps one processor core busy, so additional clients would only wait. */
const PAGE_CLIENTS = 4
const ROUND_MS = 1_000
const NUMBERS = 3
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'ru,en;q=0.5' }

type Asked = { request: Buffer; clients: number }

export const getStatus = replies({ withPages: false }, ({ apiKey }, [id = '']) => ({
  request: getRequest(`/stubs/handler_api.php?${new URLSearchParams({ api_key: apiKey, action: 'getStatus', id })}`),
  clients: POLLING_CLIENTS,
}))

export const getBalance = replies({ withPages: false }, ({ apiKey }) => ({
  request: getRequest(`/stubs/handler_api.php?${new URLSearchParams({ api_key: apiKey, action: 'getBalance' })}`),
  clients: POLLING_CLIENTS,
}))

export const anonymousHome = replies({ withPages: true }, () => ({
  request: getRequest('/', BROWSER),
  clients: POLLING_CLIENTS,
}))

export const signedInHome = replies({ withPages: true }, ({ token }) => ({
  request: getRequest('/', { ...BROWSER, cookie: `auth_token=${token}` }),
  clients: PAGE_CLIENTS,
}))

function replies(options: { withPages: boolean }, ask: (buyer: Buyer, ids: string[]) => Asked) {
  return async (stack: AsyncDisposableStack, side: Side): Promise<Load> => {
    const { service, pids } = await openSide(stack, side, options)
    const [buyer] = await side.addBuyers(service.db, 1)
    if (buyer === undefined) throw new Error('there is no buyer')
    const { request, clients } = ask(buyer, await buyThree(service, buyer))
    const connections = await openConnections(stack, service.url, clients)
    const round = async () => {
      let operations = 0
      const each = await perSecond(connections, ROUND_MS, async (connection) => {
        const { status, body } = await connection.ask(request)
        if (status !== 200) throw new Error(`the reply is ${status} ${body}`)
        operations += 1
      })
      return { operations, figures: { 'replies a second': each } }
    }
    return { pids, round }
  }
}

async function buyThree({ url }: Service, { apiKey }: Buyer): Promise<string[]> {
  const query = { action: 'getNumber', api_key: apiKey, service: 'tg', country: '0', operator: 'silent' }
  const request = getRequest(`/stubs/handler_api.php?${new URLSearchParams(query)}`)
  const bought = await Promise.all(Array.from({ length: NUMBERS }, () => askOnce(url, request)))
  return bought.map(({ body }) => /^ACCESS_NUMBER:(\d+):/.exec(body.toString())?.[1] ?? '')
}
