import { isWithin, parseRange } from '#contract/formats/cidr.ts'
import { SECOND } from '#contract/time.ts'
import { parseExact } from '#server/adapters/sim-bank/wire/exact-json.ts'
import { isKeyOf } from '#server/adapters/sim-bank/wire/keys.ts'
import { type Action, BAD_ACTION, BAD_DATA, BAD_KEY, type Reply } from '#server/adapters/sim-bank/wire/words.ts'
import { keyCallLogOf } from '#server/core/accounts/api-keys/call-log.ts'
import type { Context } from '#server/house/context.ts'
import { createRateLimit } from '#server/house/limits/rate-limit.ts'
import { endOrder } from './end-order.ts'
import { giveNumber } from './give-number.ts'
import { listServices } from './list-services.ts'
import { type Outlet, openOutlet } from './outlet.ts'
import { findOutlet } from './queries/outlets.ts'

/** Limits calls with wrong keys from one network. Calls with a right key have a limit of their own. */
const forged = createRateLimit({ name: 'forged calls of platforms', burst: 30, refillMs: 10 * SECOND })
const genuine = createRateLimit({ name: 'calls of a platform', burst: 200, refillMs: 50 })
/** Limits lists, each of which counts the whole catalogue. Platforms request a list every 10 to 20 seconds. */
const lists = createRateLimit({ name: 'lists asked for by a platform', burst: 10, refillMs: 2 * SECOND })

export type AgentCall = { code: string; text: string; address: string; network: string }
export type AgentAnswer = { httpStatus: number; said: Reply }

const CODE = /^[a-z0-9-]{1,32}$/

export async function takeCall(ctx: Context, { code, text, address, network }: AgentCall): Promise<AgentAnswer> {
  const json = parseExact(text)
  if (json === null) return error(400, BAD_DATA)
  const row = CODE.test(code) ? await findOutlet(ctx.db, code) : null
  const outlet = row === null ? null : await openOutlet(ctx, row)
  const isShown = outlet !== null && isKeyOf(outlet.settings, json.key, ctx.clock.now())
  // An unknown platform, a wrong key and a forbidden API key get the same reply, so that a stranger learns nothing.
  if (outlet === null || !isShown || !mayBuy(outlet, address)) {
    if (!(await forged.take(ctx, network)).isTaken) return error(429, 'TOO_MANY_REQUESTS')
    if (isShown) {
      ctx.log.warn({ outlet: code }, 'the API key of an outlet is revoked, may not buy, or not from this address')
    }
    return error(403, BAD_KEY)
  }
  const limit = json.action === 'GET_SERVICES' ? lists : genuine
  if (!(await limit.take(ctx, code)).isTaken) return error(429, 'TOO_MANY_REQUESTS')
  const said = await answer(ctx, outlet, json)
  const call = isAction(json.action) ? `agent ${json.action}` : `agent ${BAD_ACTION}`
  keyCallLogOf(ctx).note(outlet.keyId, { call, result: said.status, address, now: ctx.clock.now() })
  return { httpStatus: 200, said }
}

const ACTIONS = {
  GET_SERVICES: async (ctx, outlet) => ({ countryList: listServices(ctx, outlet), status: 'SUCCESS' }),
  GET_NUMBER: giveNumber,
  FINISH_ACTIVATION: endOrder,
} satisfies Record<Action, (ctx: Context, outlet: Outlet, json: Record<string, unknown>) => Promise<Reply>>

async function answer(ctx: Context, outlet: Outlet, json: Record<string, unknown>): Promise<Reply> {
  return isAction(json.action) ? ACTIONS[json.action](ctx, outlet, json) : { status: 'ERROR', error: BAD_ACTION }
}

function isAction(name: unknown): name is keyof typeof ACTIONS {
  return typeof name === 'string' && Object.hasOwn(ACTIONS, name)
}

function mayBuy({ shut, scopes, addresses }: Outlet, address: string): boolean {
  if (shut || !scopes.includes('buy')) return false
  return addresses.length === 0 || addresses.some((text) => isIn(text, address))
}

function isIn(text: string, address: string): boolean {
  const range = parseRange(text)
  return range !== null && isWithin(range, address)
}

function error(httpStatus: number, word: string): AgentAnswer {
  return { httpStatus, said: { status: 'ERROR', error: word } }
}
