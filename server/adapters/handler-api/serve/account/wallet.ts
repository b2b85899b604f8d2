import type { FastifyInstance, FastifyReply } from 'fastify'
import { SECOND } from '#contract/time.ts'
import { addressFor } from '#server/adapters/shared/chain/begin-quote.ts'
import type { Chain } from '#server/adapters/shared/chain/chain.ts'
import { isChainGateway } from '#server/adapters/shared/chain/create-chain-gateway.ts'
import { findWatch } from '#server/adapters/shared/chain/queries/watches.ts'
import { type Parameters, readParameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import { memberByApiKey } from '#server/core/accounts/api-keys/member-by-key.ts'
import { gatewaysOf } from '#server/core/gateways/running-gateways.ts'
import type { Context } from '#server/house/context.ts'
import type { RateLimit } from '#server/house/limits/rate-limit.ts'
import { keyOf } from '../parameters/key-of.ts'

export const WALLET_PATH = '/public/crypto/wallet'
/** Some programs name the token standard instead of the network. */
const STANDARDS: Readonly<Record<string, string>> = { trc20: 'tron', trx: 'tron' }

/** Serves an action of GrizzlySMS that returns the permanent deposit address of the account. */
export function registerCryptoWallet(app: FastifyInstance, ctx: Context, limit: RateLimit): void {
  app.get(WALLET_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const parameters = readParameters(request)
    const key = keyOf(parameters, request.headers)
    if (key === undefined) return refuse(reply, 401, 'MISSING_API_KEY')
    const [address, network] = [ctx.clients.addressOf(request.raw), ctx.clients.networkOf(request.raw)]
    const member = await memberByApiKey(ctx, { key, address, network, call: () => WALLET_PATH })
    if (member === null || member.key === null) return refuse(reply, 401, 'BAD_API_KEY')
    const { id, scopes, sandbox } = member.key
    const now = ctx.clock.now()
    const note = (result: string) => keyCallLogOf(ctx).note(id, { call: WALLET_PATH, result, address, now })
    const refuseNoted = (status: number, title: string) => {
      note(title)
      return refuse(reply, status, title)
    }
    // A sandbox key must never get a real deposit address.
    if (sandbox || !scopes.includes('money')) return refuseNoted(401, 'BAD_API_KEY')
    const { isTaken, waitMs } = await limit.take(ctx, `user ${member.userId}`)
    if (!isTaken) {
      reply.header('retry-after', Math.ceil(waitMs / SECOND))
      return refuseNoted(429, 'RATE_LIMIT')
    }
    const chain = await watchedChain(ctx, parameters)
    if (chain === null) return refuseNoted(404, 'NOT_AVAILABLE')
    const own = await addressFor(chain, member.userId)
    note('OK')
    return reply.send({ wallet_address: chain.family.show(own) })
  })
}

function refuse(reply: FastifyReply, status: number, title: string): FastifyReply {
  return reply.code(status).send({ title, details: title })
}

/** Finds a gateway that takes the coin and already reads its chain, or else sent coins would not be found. */
async function watchedChain(ctx: Context, { coin = 'usdt', network = 'tron' }: Parameters): Promise<Chain | null> {
  const name = STANDARDS[network.toLowerCase()] ?? network.toLowerCase()
  for (const { gateway, isPaused } of gatewaysOf(ctx).all()) {
    if (isPaused || !isChainGateway(gateway)) continue
    const { chain, code } = gateway
    const takes = chain.assets.some(({ symbol }) => symbol.toLowerCase() === coin.toLowerCase())
    if (!takes || (name !== code && name !== chain.family.name)) continue
    const watch = await findWatch(ctx.db, chain.gatewayId)
    if (watch?.height != null && watch.stopped === null) return chain
  }
  return null
}
