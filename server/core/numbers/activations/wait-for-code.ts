import type { ActivationState } from '#contract/activation.ts'
import { SECOND } from '#contract/time.ts'
import { type FairLimit, hasRoom } from '#server/core/numbers/limits/fair-limit.ts'
import type { Context } from '#server/house/context.ts'
import { tooBusy, tooManyRequests } from '#server/house/errors/errors.ts'
import { perContext } from '#server/house/memory.ts'
import { followUser } from '#server/house/news/follow-user.ts'
import { isSandbox } from '#server/house/sandbox.ts'
import type { ActivationRow } from './queries/row.ts'

/** The maximum number of waiting calls of one account. No account may have more open numbers than this. */
const MOST_OF_PERSON = 100
/** The maximum number of waiting calls of all accounts. Each call holds a connection and a few hundred bytes. */
const MOST_OF_ALL = 5_000
const MOST_OF_PLAY: FairLimit = { usual: 1_000, share: 5, most: 1_500 }
const COME_AGAIN_SECONDS = 2

const OPEN_TO_CHANGE: ReadonlySet<ActivationState> = new Set(['reserving', 'waiting', 'waiting_again'])

type Wait = { userId: number; isPlay: boolean; wake: () => void }

class Waits {
  readonly #byActivation = new Map<bigint, Set<Wait>>()
  readonly #ofPerson = new Map<number, number>()
  #count = 0
  #ofPlay = 0
  ended = false

  /** Registers a waiting call and returns the function that ends the wait. Throws TOO_MANY_REQUESTS. */
  take(activationId: bigint, wait: Wait): () => void {
    const { userId, isPlay } = wait
    const own = this.#ofPerson.get(userId) ?? 0
    if (own >= MOST_OF_PERSON) throw tooManyRequests(COME_AGAIN_SECONDS)
    const isFull = isPlay ? !hasRoom(MOST_OF_PLAY, { all: this.#ofPlay, own }) : this.#count >= MOST_OF_ALL
    if (isFull) throw tooBusy(COME_AGAIN_SECONDS)
    const here = this.#byActivation.get(activationId) ?? new Set()
    this.#byActivation.set(activationId, here.add(wait))
    this.#ofPerson.set(userId, own + 1)
    this.#count += 1
    if (isPlay) this.#ofPlay += 1
    return () => {
      here.delete(wait)
      if (here.size === 0) this.#byActivation.delete(activationId)
      const left = (this.#ofPerson.get(userId) ?? 1) - 1
      if (left === 0) this.#ofPerson.delete(userId)
      else this.#ofPerson.set(userId, left)
      this.#count -= 1
      if (isPlay) this.#ofPlay -= 1
    }
  }

  wake(activationId: bigint): void {
    for (const { wake } of this.#byActivation.get(activationId) ?? []) wake()
  }

  end(): void {
    this.ended = true
    for (const activationId of this.#byActivation.keys()) this.wake(activationId)
  }
}

/** Sandbox and real calls share one registry, because a call of one kind may change the other kind's order. */
const waitsOf = perContext(
  'calls that wait for a code',
  { scope: 'process', nodes: 'own', lost: 'nothing: their connections end' },
  () => new Waits(),
)

/** Wakes the calls that wait for this activation. Must be called after the commit that changed the activation. */
export function wakeWaiting(ctx: Context, activationId: bigint): void {
  waitsOf(ctx).wake(activationId)
}

/** Ends all waits at shutdown: every waiting call returns the present state of its activation. */
export function endWaiting(ctx: Context): void {
  waitsOf(ctx).end()
}

/**
 * Returns the activation once it has a code or has ended. After `waitSeconds`, or when the caller hangs up, returns the
 * activation as it is. `find` reads the activation again; null means that it is not the caller's. Throws
 * TOO_MANY_REQUESTS.
 */
export async function waitForCode(
  ctx: Context,
  input: { waitSeconds: number; onHangUp: (hangUp: () => void) => void; find: () => Promise<ActivationRow | null> },
): Promise<ActivationRow | null> {
  const { waitSeconds, onHangUp, find } = input
  const first = await find()
  if (first === null || waitSeconds === 0 || !OPEN_TO_CHANGE.has(first.state)) return first
  const over = Promise.withResolvers<'over'>()
  let woken = Promise.withResolvers<'woken'>()
  const wake = () => woken.resolve('woken')
  const end = waitsOf(ctx).take(first.id, { userId: first.user_id, isPlay: isSandbox(ctx), wake })
  const following = followUser(ctx, first.user_id, { kind: 'call', missed: wake })
  // A code that another node stored meanwhile is told to nobody.
  following.whenHeld(wake)
  ctx.metrics.waitingCalls.inc()
  const timer = setTimeout(() => over.resolve('over'), waitSeconds * SECOND)
  onHangUp(() => over.resolve('over'))
  try {
    for (let why = ''; ; why = await Promise.race([woken.promise, over.promise])) {
      // The promise is renewed before the activation is read, so a change during the read starts another read.
      woken = Promise.withResolvers()
      const row = await find()
      if (row === null || why === 'over' || !OPEN_TO_CHANGE.has(row.state) || waitsOf(ctx).ended) return row
    }
  } finally {
    clearTimeout(timer)
    end()
    following.end()
    ctx.metrics.waitingCalls.dec()
  }
}
