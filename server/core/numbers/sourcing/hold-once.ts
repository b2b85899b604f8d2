import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'

/** A reason may vanish before it is looked up; the hold is then retried, so many times in all. */
const MAX_HOLDS = 3

/** A key that was sent, and what it asks for. */
export type Repeat = { key: string; inputHash: string }

/** The same as an order stores it. */
export type Keyed = { idempotencyKey: string | null; inputHash: string | null }

type Steps<Order, Priced, Held> = {
  key: string | undefined
  /** A repeat of the key must have the same. */
  input: readonly unknown[]
  /** The unique index that decides between two requests with one key. */
  keyIndex: string
  /** Null: the key is new. Throws what the earlier request was told. */
  earlier(repeat: Repeat): Promise<Order | null>
  /** Throws unless it is sold, and the buyer agrees to the price of now. */
  price(): Priced | Promise<Priced>
  /** One statement. Null: something stood in its way. */
  hold(priced: Priced, keyed: Keyed): Promise<Held | null>
  /** Throws what stands in the way; returns when nothing does any more. */
  explain(priced: Priced): Promise<void>
  /** Thrown after the last try. */
  none(): AppError
}

/** Either what the key made earlier, or the money held at a price. */
type Once<Order, Priced, Held> =
  | { earlier: Order; priced: null; held: null }
  | { earlier: null; priced: Priced; held: Held }

/** Holds the money of an order, once by its key. Throws what its steps throw; then nothing is held. */
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
