import { type Redis as Client, Cluster } from 'ioredis'
import type { RedisTrouble } from './trouble.ts'

/** Hears the messages of one channel. */
export type Hearer = {
  hear(message: string): void
  /** Called when the subscription begins to hold, at first and after each loss: earlier messages may be missing. */
  missed(): void
}

/** The channels that this process hears. Each is subscribed to again after the connection was lost. */
export class Subscriptions {
  readonly #client: Client | Cluster
  readonly #trouble: RedisTrouble
  readonly #channels = new Map<string, { hearers: Set<Hearer>; isHeard: boolean }>()

  constructor(client: Client | Cluster, trouble: RedisTrouble) {
    this.#client = client
    this.#trouble = trouble
    client.on('close', () => {
      for (const channel of this.#channels.values()) channel.isHeard = false
    })
    client.on('ready', () => this.#subscribeAll())
    // The cluster's client itself moves a subscription to another server. Messages of that time are lost.
    if (client instanceof Cluster) client.on('-node', () => this.#subscribeAll())
    client.on('smessage', (name: string, message: string) => {
      for (const hearer of this.#channels.get(name)?.hearers ?? []) hearer.hear(message)
    })
  }

  add(name: string, hearer: Hearer): () => void {
    const channel = this.#channels.get(name)
    if (channel === undefined) {
      this.#channels.set(name, { hearers: new Set([hearer]), isHeard: false })
      this.#subscribe(name)
    } else {
      channel.hearers.add(hearer)
      if (channel.isHeard) queueMicrotask(() => hearer.missed())
    }
    return () => this.#remove(name, hearer)
  }

  #remove(name: string, hearer: Hearer): void {
    const channel = this.#channels.get(name)
    if (channel?.hearers.delete(hearer) !== true || channel.hearers.size > 0) return
    this.#channels.delete(name)
    if (this.#client.status === 'ready') {
      this.#client.sunsubscribe(name).catch((error: unknown) => this.#trouble.failed(error))
    }
  }

  #subscribeAll(): void {
    for (const name of this.#channels.keys()) this.#subscribe(name)
  }

  #subscribe(name: string): void {
    if (this.#client.status !== 'ready') return
    this.#client.ssubscribe(name).then(
      () => {
        const channel = this.#channels.get(name)
        if (channel === undefined) return
        channel.isHeard = true
        for (const { missed } of channel.hearers) missed()
      },
      (error: unknown) => this.#trouble.failed(error),
    )
  }
}
