import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'

/** The reason of a refused hold may vanish before it is looked up; the hold then runs up to this often. */
const MAX_HOLDS = 3

/** An idempotency key that was sent, and the hash of its request. */
export type Repeat = { key: string; inputHash: string }

/** The key and hash as an order stores them. */
export type Keyed = { idempotencyKey: string | null; inputHash: string | null }

type Steps<Order, Priced, Held> = {
  key: string | undefined
  /** A repeat of the key must have the same input. */
  input: readonly unknown[]
  /** This unique index decides between concurrent requests with one key. */
  keyIndex: string
  /** Returns null for a new key. Throws the error that the earlier request got. */
  earlier(repeat: Repeat): Promise<Order | null>
  /** Returns the current price. Throws unless the number is sold and the buyer agrees to that price. */
  price(): Priced | Promise<Priced>
  /** Holds the money in one statement. Returns null if something prevented it. */
  hold(priced: Priced, keyed: Keyed): Promise<Held | null>
  /** Throws the reason why nothing was held; returns if it is gone by now. */
  explain(priced: Priced): Promise<void>
  none(): AppError
}

/** Either the earlier order of the key, or the money held at a price. */
type Once<Order, Priced, Held> =
  | { earlier: Order; priced: null; held: null }
  | { earlier: null; priced: Priced; held: Held }

/** Holds the money of an order, once for its key. Throws the errors of its steps; then nothing is held. */
export async function holdOnce<Order, Priced, Held>(
  steps: Steps<Order, Priced, Held>,
): Promise<Once<Order, Priced, Held>> {
  const repeat = steps.key === undefined ? null : { key: steps.key, inputHash: hashParts(steps.input) }
  const keyed = { idempotencyKey: repeat?.key ?? null, inputHash: repeat?.inputHash ?? null }
  const find = async () => (repeat === null ? null : steps.earlier(repeat))
  const earlier = await find()
  if (earlier !== null) return { earlier, priced: null, held: null }
  for (let round = 0; round < MAX_HOLDS; round += 1) {
    const priced = await steps.price()
    const held = await steps.hold(priced, keyed).catch((error: unknown) => {
      // A concurrent request with the same key won.
      if (isUniqueViolation(error, steps.keyIndex)) return null
      throw error
    })
    if (held !== null) return { earlier: null, priced, held }
    const sameKey = await find()
    if (sameKey !== null) return { earlier: sameKey, priced: null, held: null }
    await steps.explain(priced)
  }
  throw steps.none()
}
