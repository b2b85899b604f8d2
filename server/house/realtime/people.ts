import type { Connection, Identity } from '#server/house/realtime/connection.ts'

/** How many sockets each account has let in; its programs are counted apart from its pages. */
export class People {
  readonly #sockets = new Map<string, number>()

  /** False: it has as many as it may. Call it before the identity is the connection's. */
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
