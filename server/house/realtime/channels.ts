const NOBODY: ReadonlySet<never> = new Set<never>()

export class Channels<Subscriber> {
  readonly #members = new Map<string, Set<Subscriber>>()
  #subscriptions = 0

  get count(): number {
    return this.#members.size
  }

  get subscriptions(): number {
    return this.#subscriptions
  }

  members(channel: string): ReadonlySet<Subscriber> {
    return this.#members.get(channel) ?? NOBODY
  }

  join(channel: string, subscriber: Subscriber): void {
    const members = this.#members.get(channel)
    if (members === undefined) this.#members.set(channel, new Set([subscriber]))
    else members.add(subscriber)
    this.#subscriptions += 1
  }

  leave(channel: string, subscriber: Subscriber): void {
    const members = this.#members.get(channel)
    if (members?.delete(subscriber) !== true) return
    this.#subscriptions -= 1
    if (members.size === 0) this.#members.delete(channel)
  }
}

export type ChannelKind =
  | { kind: 'private' }
  | { kind: 'public' }
  | { kind: 'server-to-user'; userId: string }
  | { kind: 'refused'; message: string }

const SERVER_TO_USER = '#server-to-user-'

export function channelKind(name: string, publicChannels: readonly string[]): ChannelKind {
  if (name.startsWith('presence-')) return refused(name, 'presence channels are not offered')
  if (name.startsWith('private-encrypted-')) return refused(name, 'encrypted channels are not offered')
  if (name.startsWith('private-')) return { kind: 'private' }
  if (name.startsWith(SERVER_TO_USER)) return { kind: 'server-to-user', userId: name.slice(SERVER_TO_USER.length) }
  if (publicChannels.includes(name)) return { kind: 'public' }
  return refused(name, 'only private- channels are offered')
}

function refused(name: string, reason: string): ChannelKind {
  return { kind: 'refused', message: `Channel ${name} is refused: ${reason}` }
}
