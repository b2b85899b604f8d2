import type { Connection, Identity } from '#server/house/realtime/connection.ts'

export class AccountSockets {
  readonly #sockets = new Map<string, number>()

  /** Counts a connection for an account, before the identity is added to it. Returns false if the limit is reached. */
  enter({ identities }: Connection, identity: Identity, most: number): boolean {
    const person = nameOf(identity)
    if (identities.some((one) => nameOf(one) === person)) return true
    const count = this.#sockets.get(person) ?? 0
    if (count >= most) return false
    this.#sockets.set(person, count + 1)
    return true
  }

  leave(identities: readonly Identity[]): void {
    for (const person of new Set(identities.map(nameOf))) {
      const count = (this.#sockets.get(person) ?? 1) - 1
      if (count === 0) this.#sockets.delete(person)
      else this.#sockets.set(person, count)
    }
  }
}

const nameOf = ({ userId, byKey = false }: Identity): string => `${userId} ${byKey}`
