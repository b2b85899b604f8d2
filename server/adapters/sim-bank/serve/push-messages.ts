import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { parseExact, writeExact } from '#server/adapters/sim-bank/wire/exact-json.ts'
import { keysOf } from '#server/adapters/sim-bank/wire/keys.ts'
import { pack, unpack } from '#server/adapters/sim-bank/wire/packed.ts'
import { BAD_KEY, PUSH_SMS } from '#server/adapters/sim-bank/wire/words.ts'
import type { Context } from '#server/house/context.ts'
import { askOutside } from '#server/house/http/outbound/ask-outside.ts'
import { perContext } from '#server/house/memory.ts'
import { type Outlet, openOutlet } from './outlet.ts'
import { findOutletById } from './queries/outlets.ts'
import { type DuePush, listDue, listOutletsDue, markAccepted, markRefused, queuePushes } from './queries/pushes.ts'

/** The maximum number of messages queued in one round. The next round follows within a second. */
const QUEUED_AT_ONCE = 1_000
const SENT_AT_ONCE = 20
/** The interval between repetitions of a push, which the protocol prescribes. */
const AGAIN_MS = 10 * SECOND
const GIVEN_UP_MS = DAY
/** A refused message holds up later ones of its number for this time, and then a code no longer waits. */
const HELD_MS = MINUTE
const MOST_ANSWER_BYTES = 16_384
const MOST_REASON_LENGTH = 200

/** The buying platforms with a push in flight, so that a platform that hangs does not delay others. */
const busyOf = perContext(
  'outlets being pushed to',
  { scope: 'process', nodes: 'leased', lost: 'nothing: what was not accepted is pushed again' },
  () => new Set<number>(),
)

/** Pushes messages of sold activations to the platforms that bought them, each until it is accepted. */
export async function pushMessages(ctx: Context): Promise<void> {
  await queuePushes(ctx.db, { limit: QUEUED_AT_ONCE, now: ctx.clock.now() })
  const underWay = busyOf(ctx)
  for (const id of await listOutletsDue(ctx.db, ctx.clock.now())) {
    if (underWay.has(id)) continue
    underWay.add(id)
    ctx.background.run('push messages to an outlet', () => pushTo(ctx, id).finally(() => underWay.delete(id)))
  }
}

async function pushTo(ctx: Context, outletId: number): Promise<void> {
  const row = await findOutletById(ctx.db, outletId)
  if (row === null) return
  // A paused platform buys nothing, but messages of its earlier purchases are still pushed.
  const outlet = await openOutlet(ctx, row)
  const now = ctx.clock.now()
  const heldSince = new Date(now.getTime() - HELD_MS)
  const due = await listDue(ctx.db, { outletId, now, heldSince, limit: SENT_AT_ONCE })
  // The last message of a number is its code, so a number's messages are pushed in order.
  const inOrder = due.toSorted((one, other) => Number(one.messageId - other.messageId))
  const byPhone = [...Map.groupBy(inOrder, ({ phone }) => phone).values()]
  // The round waits for all pushes, or else the next round would repeat those in flight.
  const pushed = await Promise.allSettled(byPhone.map((pushes) => pushInOrder(ctx, outlet, pushes)))
  const failed = pushed.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** A refusal ends the round of the number, because its later messages must not overtake the refused one. */
async function pushInOrder(ctx: Context, outlet: Outlet, pushes: readonly DuePush[]): Promise<void> {
  for (const push of pushes) if (!(await pushOne(ctx, outlet, push))) return
}

async function pushOne(ctx: Context, outlet: Outlet, push: DuePush): Promise<boolean> {
  const refusal = await sendWithAny(outlet, push, ctx.clock.now())
  const now = ctx.clock.now()
  const { messageId } = push
  if (refusal === null) {
    await markAccepted(ctx.db, { messageId, now })
    return true
  }
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  const refused = { messageId, now, reason: refusal, dueAt: inMs(AGAIN_MS), givenUpBefore: inMs(-GIVEN_UP_MS) }
  if (!(await markRefused(ctx.db, refused))) return false
  const fields = { outlet: outlet.code, messageId: messageId.toString(), reason: refusal }
  ctx.log.error(fields, 'a message was never accepted by the platform of an outlet')
  return false
}

/** Sends a push. While two keys are valid, the platform may know either, so BAD_KEY is retried with the other key. */
async function sendWithAny(outlet: Outlet, push: DuePush, now: Date): Promise<string | null> {
  let refusal: string | null = null
  for (const key of keysOf(outlet.settings, now)) {
    refusal = await send(outlet, push, key)
    if (refusal === null || !refusal.split(' ').includes(BAD_KEY)) break
  }
  return refusal
}

/**
 * Sends a push. Returns null if the platform accepted it, or else the reason. The reason never contains the URL, which
 * has a secret part.
 */
async function send(
  { settings }: Outlet,
  { messageId, phone, sender, text }: DuePush,
  key: string,
): Promise<string | null> {
  const { url, gzip, privateHost } = settings
  const fields = { action: PUSH_SMS, key, smsId: messageId, phone: BigInt(phone), phoneFrom: sender, text }
  const json = writeExact(fields)
  const body = gzip ? pack(json) : Buffer.from(json)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'Ringpost',
    'content-length': String(body.length),
    ...(gzip && { 'content-encoding': 'gzip' }),
  }
  const rules = { privateHosts: privateHost ? [new URL(url).hostname] : [], mostBytes: MOST_ANSWER_BYTES }
  try {
    const answer = await askOutside({ method: 'POST', url, headers, body }, rules)
    const limits = { encoding: answer.headers['content-encoding'], mostBytes: MOST_ANSWER_BYTES }
    const said = parseExact(unpack(answer.body, limits))
    if (answer.status === 200 && said?.status === 'SUCCESS') return null
    const { status, error } = said ?? {}
    const words = [status, error].filter((word) => typeof word === 'string')
    return [`HTTP ${answer.status}`, ...words].join(' ').slice(0, MOST_REASON_LENGTH)
  } catch {
    return 'no answer'
  }
}
