import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'

/** The maximum number of tries to hold money, because the reason for a refusal may vanish before it is found. */
const MAX_HOLDS = 3

export type Repeat = { key: string; inputHash: string }

export type Keyed = { idempotencyKey: string | null; inputHash: string | null }

type Steps<Order, Priced, Held> = {
  key: string | undefined
  /** The parameters of the request, which must be the same if a request repeats an idempotency key. */
  input: readonly unknown[]
  /** The name of the unique index that decides between concurrent requests with the same idempotency key. */
  keyIndex: string
  /** Returns the order of an earlier request with the idempotency key, or null. Throws that request's error. */
  earlier(repeat: Repeat): Promise<Order | null>
  /** Returns the current price of the order. Throws unless the number is sold and the buyer agrees to that price. */
  price(): Priced | Promise<Priced>
  /** Holds the money in one statement. Returns null if nothing was held. */
  hold(priced: Priced, keyed: Keyed): Promise<Held | null>
  /** Throws the reason why no money was held; returns if the reason has vanished by now. */
  explain(priced: Priced): Promise<void>
  none(): AppError
}

/** The order that an earlier request with the same idempotency key made, or the money that was held at a price. */
type Once<Order, Priced, Held> =
  | { earlier: Order; priced: null; held: null }
  | { earlier: null; priced: Priced; held: Held }

/** Holds the money of an order, only once per idempotency key. If a step throws, no money is held. */
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
      // A concurrent request with the same idempotency key was faster.
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
