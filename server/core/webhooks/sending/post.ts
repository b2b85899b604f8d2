import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { SECOND } from '#contract/time.ts'
import type { TryResult } from '#server/core/webhooks/queries/sending.ts'
import { boundedCache } from '#server/house/bounded-cache.ts'
import type { KeptConnections } from '#server/house/http/outbound/ask-outside.ts'
import { perContext } from '#server/house/memory.ts'
import { SendingSlots } from './sending-slots.ts'

const MOST_SECRETS = 10_000
const IDLE_PER_HOST = 8
const IDLE_LIMIT_MS = 15 * SECOND
const KEEPING = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_LIMIT_MS } as const

export class WebhookPost {
  readonly hands = new SendingSlots()
  readonly kept: KeptConnections = { plain: new PlainAgent(KEEPING), tls: new TlsAgent(KEEPING) }
  timeLimitMs = 10 * SECOND
  storeAgainMs = SECOND
  readonly cuts = new Set<AbortController>()
  readonly stopped = new AbortController()
  /** The cache of decrypted secrets, because decryption costs more than a signature. */
  readonly secrets = boundedCache<string, string>(MOST_SECRETS)
  after = 0
  readonly ended: TryResult[] = []
  storing: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #idle = Promise.withResolvers<void>()

  /** Signals that a delivery may be due. The call costs nothing if nobody listens. */
  wake(): void {
    this.#woken.resolve()
  }

  nextWake(): Promise<void> {
    this.#woken = Promise.withResolvers()
    return this.#woken.promise
  }

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
  { scope: 'process', nodes: 'leased', lost: 'nothing: what was not acknowledged is sent again' },
  () => new WebhookPost(),
)
