import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { SECOND } from '#contract/time.ts'
import type { Tried } from '#server/core/webhooks/queries/sending.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { KeptConnections } from '#server/house/http/outbound/ask-outside.ts'
import { perContext } from '#server/house/memory.ts'
import { Hands } from './hands.ts'

const MOST_SECRETS = 10_000
const IDLE_PER_HOST = 8
const IDLE_LIMIT_MS = 15 * SECOND
const KEEPING = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_LIMIT_MS } as const

/** What this process is sending, until it stops. */
export class WebhookPost {
  readonly hands = new Hands()
  readonly kept: KeptConnections = { plain: new PlainAgent(KEEPING), tls: new TlsAgent(KEEPING) }
  /** Of one try. Tests lower it. */
  timeLimitMs = 10 * SECOND
  /** After ends that could not be stored. Tests lower it. */
  storeAgainMs = SECOND
  /** Of requests under way: aborting one ends it. */
  readonly cuts = new Set<AbortController>()
  readonly stopped = new AbortController()
  /** Opening a sealed secret costs more than a signature. */
  readonly secrets = boundedCache<string, string>(MOST_SECRETS)
  /** Endpoints up to this id were looked at. */
  after = 0
  /** Have ended, and are not stored yet. */
  readonly ended: Tried[] = []
  storing: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #idle = Promise.withResolvers<void>()

  /** Something may be due. Costs nothing where nobody listens. */
  wake(): void {
    this.#woken.resolve()
  }

  /** The next wake, from now on. */
  nextWake(): Promise<void> {
    this.#woken = Promise.withResolvers()
    return this.#woken.promise
  }

  /** Nothing is under way. */
  async idle(): Promise<void> {
    if (this.hands.isIdle) return
    this.#idle = Promise.withResolvers()
    await this.#idle.promise
  }

  noteStored(): void {
    if (this.hands.isIdle) this.#idle.resolve()
    this.wake()
  }

  closeConnections(): void {
    this.kept.plain.destroy()
    this.kept.tls.destroy()
  }
}

export const webhookPostOf = perContext(
  'webhooks being sent',
  { scope: 'process', lost: 'nothing: what was not acknowledged is sent again' },
  () => new WebhookPost(),
)
