import { MINUTE, SECOND } from '#contract/time.ts'
import type { IncomingSms, Piece } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { listStoredBeside, type StoredRequest } from './queries/requests.ts'

/** The maximum time between one part of a message and the next part, if the parts come in separate requests. */
export const PART_WAIT_MS = 10 * SECOND
/** The maximum time between any two parts of one message, which has at most about ten parts. */
const LONGEST_MS = MINUTE
/** The maximum number of a supplier's unprocessed requests that are searched for parts, so that a flood stays cheap. */
const MOST_BESIDE = 20
const GAP = '…'

export type PartMessage = Omit<IncomingSms, 'supplierId'> & { piece: Piece }
type Found = { request: StoredRequest; message: PartMessage }
/** `ids` lists all requests of the message, including repeats. */
type Group = { ids: bigint[]; pieces: Found[] }
/** `receivedAt` is the time of the first part. */
export type Joined = { ids: readonly bigint[]; message: PartMessage; receivedAt: Date }

/**
 * Joins the message that this request is a part of. Returns null if more parts may follow, or if another part has
 * already handed the message over. Parts stay stored until the handover, so a crash loses none. Must run for one part
 * of a number at a time.
 */
export async function joinParts(
  ctx: Context,
  request: StoredRequest,
  read: (request: StoredRequest) => Promise<PartMessage | null>,
): Promise<Joined | null> {
  const { id, supplierId, receivedAt } = request
  const [from, to] = [-LONGEST_MS, LONGEST_MS].map((ms) => new Date(receivedAt.getTime() + ms))
  if (from === undefined || to === undefined) return null
  const beside = await listStoredBeside(ctx.db, { id, supplierId, from, to, limit: MOST_BESIDE })
  const found: Found[] = []
  for (const one of beside.toSorted((a, b) => Number(a.id - b.id))) {
    // An unreadable request must not block other parts. Its error is reported when that request is processed.
    const message = await read(one).catch(() => null)
    if (message !== null) found.push({ request: one, message })
  }
  const own = found.find((one) => one.request.id === id)
  if (own === undefined) return null
  const key = keyOf(own.message)
  const groups = groupPieces(found.filter((one) => keyOf(one.message) === key))
  const group = groups.find(({ ids }) => ids.includes(id))
  return group === undefined || !isDue(group, ctx.clock.now()) ? null : join(group)
}

function keyOf({ phone, sender, piece: { numbered } }: PartMessage): string {
  return JSON.stringify([phone, sender, numbered === null ? null : [numbered.reference, numbered.parts]])
}

function groupPieces(found: readonly Found[]): Group[] {
  const groups: Group[] = []
  for (const one of found) {
    const open = groups.at(-1)
    if (open?.pieces.some((other) => isRepeat(one, other))) open.ids.push(one.request.id)
    else if (open !== undefined && goesOn(open, one)) {
      open.ids.push(one.request.id)
      open.pieces.push(one)
    } else groups.push({ ids: [one.request.id], pieces: [one] })
  }
  return groups
}

/**
 * Returns true if a part repeats an earlier part, because a sender that got no reply sends again. Only full or numbered
 * parts can be recognised; a short text is compared by its words later.
 */
function isRepeat({ message }: Found, { message: other }: Found): boolean {
  if (message.text !== other.text) return false
  const { numbered, isFull } = message.piece
  return numbered === null ? isFull : numbered.part === other.piece.numbered?.part
}

function goesOn(group: Group, { request, message }: Found): boolean {
  const last = group.pieces.at(-1)
  if (last === undefined || isWhole(group)) return false
  if (request.receivedAt.getTime() - last.request.receivedAt.getTime() > PART_WAIT_MS) return false
  // A repeated part number begins the next message, because some senders use one reference for all messages.
  const part = message.piece.numbered?.part
  return part === undefined || group.pieces.every((one) => one.message.piece.numbered?.part !== part)
}

function isWhole({ pieces }: Group): boolean {
  const last = pieces.at(-1)?.message.piece
  return last?.numbered == null ? last?.isFull !== true : pieces.length === last.numbered.parts
}

function isDue(group: Group, now: Date): boolean {
  const newest = group.pieces.at(-1)?.request.receivedAt ?? now
  return isWhole(group) || now.getTime() - newest.getTime() >= PART_WAIT_MS
}

/** The joined message takes the id of its first part, so a second join after a crash gives the same id. */
function join({ ids, pieces }: Group): Joined | null {
  const [first] = pieces
  if (first === undefined) return null
  const { receivedAt } = first.request
  return { ids, receivedAt, message: { ...first.message, text: textOf(pieces.map(({ message }) => message)) } }
}

function textOf(messages: readonly PartMessage[]): string {
  const [parts = 0] = messages.map(({ piece }) => piece.numbered?.parts ?? 0)
  if (parts === 0) return messages.map(({ text }) => text).join('')
  const byPart = new Map(messages.map(({ piece, text }) => [piece.numbered?.part, text]))
  const texts = Array.from({ length: parts }, (_, at) => byPart.get(at + 1) ?? GAP)
  return texts.filter((text, at) => text !== GAP || texts[at - 1] !== GAP).join('')
}
