import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { messageQueueOf } from '#server/core/numbers/delivery/message-queue.ts'
import { receiveSms } from '#server/core/numbers/delivery/receive-sms.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { IncomingSms, IntakeReading, Piece } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { perContext } from '#server/house/memory.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import { joinParts, type PartMessage } from './join-parts.ts'
import { beginTry, listStoredRequests, type StoredRequest, settleRequests } from './queries/requests.ts'

const BATCH = 100
const EVER = new Date('9999-12-31T00:00:00.000Z')
/** The age in ms up to which the call that received a request is still processing it, so a sweep leaves it alone. */
const UNDER_WAY_MS = 10 * SECOND
/** The maximum number of tries for a request: an hour of outage with a try every five seconds. */
const MAX_TRIES = 720
/** The delay in ms below which a message is judged as of now, because a busy moment delays messages so long. */
const DELAYED_MS = MINUTE
const REASON_LENGTH = 300
/** The maximum age of a message, in ms. No sender retries for longer, so an older date means a wrong clock. */
const MOST_WAITED_MS = 7 * DAY

const underWayOf = perContext(
  'requests being read',
  { scope: 'process', nodes: 'leased', lost: 'nothing: the sweep reads stored requests again' },
  () => new Set<bigint>(),
)

/** The suppliers whose new requests are being read, with whether to look once more. */
const looksOf = perContext(
  'suppliers whose new requests are being read',
  { scope: 'process', nodes: 'leased', lost: 'nothing: the sweep reads stored requests again' },
  () => new Map<number, boolean>(),
)

/**
 * Delivers the messages of a stored request to their orders. Idempotent by message id, so that it can be repeated after
 * a crash. A part of a message waits for the other parts.
 */
export async function processRequest(ctx: Context, stored: StoredRequest): Promise<void> {
  underWayOf(ctx).add(stored.id)
  await readRequest(ctx, stored).finally(() => underWayOf(ctx).delete(stored.id))
}

async function readRequest(ctx: Context, stored: StoredRequest): Promise<void> {
  const { id, supplierId } = stored
  const supplier = suppliersOf(ctx).get(supplierId)
  if (supplier?.intake === undefined) return
  const { intake } = supplier
  const read = (request: StoredRequest) => intake.read({ ...request, url: `?${request.query}`, requestId: request.id })
  const reading = await read(stored)
  if (reading.outcome === 'messages') {
    const [first] = reading.messages
    if (first?.piece !== undefined) return takePiece(ctx, { stored, phone: first.phone, read })
    for (const message of reading.messages) await handOver(ctx, stored, message)
  } else {
    const fields = { supplier: supplier.code, requestId: id.toString(), reason: tidy(reading.reason) }
    ctx.log.info(fields, 'a request brought no message')
  }
  await settleRequests(ctx.db, { ids: [id], ...settledAs(reading), now: ctx.clock.now() })
}

type Read = (request: StoredRequest) => Promise<IntakeReading>

/** Parts of one number run one at a time, because only one of two parts may hand their message over. */
async function takePiece(
  ctx: Context,
  { stored, phone, read }: { stored: StoredRequest; phone: string; read: Read },
): Promise<void> {
  await messageQueueOf(ctx).run(`parts for ${phone}`, async () => {
    const joined = await joinParts(ctx, stored, async (request) => pieceIn(await read(request)))
    if (joined === null) return
    const { ids, message, receivedAt } = joined
    await handOver(ctx, { ...stored, receivedAt }, message)
    await settleRequests(ctx.db, { ids, state: 'processed', reason: null, now: ctx.clock.now() })
  })
}

function pieceIn(reading: IntakeReading): PartMessage | null {
  const [message] = reading.outcome === 'messages' ? reading.messages : []
  return message?.piece === undefined ? null : { ...message, piece: message.piece }
}

async function handOver(
  ctx: Context,
  { supplierId, receivedAt }: Pick<StoredRequest, 'supplierId' | 'receivedAt'>,
  message: Omit<IncomingSms, 'supplierId'> & { piece?: Piece },
): Promise<void> {
  const { cameAt: _cameAt, piece: _piece, ...words } = message
  const cameAt = waitedSince(ctx, message.cameAt ?? receivedAt)
  await receiveSms(ctx, { ...words, supplierId, ...(cameAt !== null && { cameAt }) })
}

/** Processes requests left by a crash, an outage or another node. After MAX_TRIES a request is unread, for staff to see. */
export async function processStoredRequests(ctx: Context): Promise<void> {
  const suppliers = suppliersOf(ctx)
  await readStored(ctx, { supplierIds: suppliers.ids().filter((id) => suppliers.receives(id)) })
}

/**
 * Processes a supplier's new requests, which another node has stored, if this node receives for the supplier. A call
 * during a run makes the run look once more. Only the sweep tries again what failed.
 */
export async function processNewRequests(ctx: Context, supplierId: number): Promise<void> {
  const suppliers = suppliersOf(ctx)
  if (suppliers.get(supplierId) === undefined || !suppliers.receives(supplierId)) return
  const looks = looksOf(ctx)
  if (looks.has(supplierId)) {
    looks.set(supplierId, true)
    return
  }
  looks.set(supplierId, true)
  try {
    while (looks.get(supplierId) === true) {
      looks.set(supplierId, false)
      await readStored(ctx, { supplierIds: [supplierId], isNew: true })
    }
  } finally {
    looks.delete(supplierId)
  }
}

async function readStored(
  ctx: Context,
  { supplierIds, isNew = false }: { supplierIds: readonly number[]; isNew?: boolean },
): Promise<void> {
  // Another node stored the request by its own clock, which may be ahead.
  const before = isTogether(ctx) ? EVER : new Date(ctx.clock.now().getTime() - UNDER_WAY_MS)
  for (const stored of await listStoredRequests(ctx.db, { supplierIds, before, limit: BATCH })) {
    if ((isNew && stored.tries > 0) || underWayOf(ctx).has(stored.id)) continue
    if (!(await beginTry(ctx.db, stored))) continue
    try {
      await processRequest(ctx, stored)
    } catch (error) {
      const fields = { error, supplierId: stored.supplierId, requestId: stored.id.toString() }
      ctx.log.warn(fields, 'a request of a sender could not be handed over yet')
      if (stored.tries < MAX_TRIES) continue
      const given = { state: 'unread', reason: `it could not be handed over ${MAX_TRIES} times` } as const
      await settleRequests(ctx.db, { ids: [stored.id], ...given, now: ctx.clock.now() })
    }
  }
}

function settledAs(reading: IntakeReading): { state: 'processed' | 'ignored' | 'unread'; reason: string | null } {
  return reading.outcome === 'messages'
    ? { state: 'processed', reason: null }
    : { state: reading.outcome, reason: tidy(reading.reason) }
}

/** Removes NUL from an error text, which may quote the request. PostgreSQL refuses NUL in text. */
function tidy(reason: string): string {
  return reason.replaceAll('\0', '').slice(0, REASON_LENGTH).toWellFormed()
}

function waitedSince(ctx: Context, at: Date): Date | null {
  const now = ctx.clock.now().getTime()
  if (at.getTime() > now - DELAYED_MS) return null
  return new Date(Math.max(at.getTime(), now - MOST_WAITED_MS))
}
