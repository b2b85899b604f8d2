import { perContext } from '#server/house/memory.ts'
import type { Naming } from './naming.ts'
import type { SenderBook } from './sender-book.ts'
import { mayBeLearnt, namesOfSender } from './sender-name.ts'

export type PendingMatch = { sender: string; serviceCode: string; userId: number }

/** The maximum number of matches in memory. That is enough between two writes, because five accounts prove a sender. */
const MAX_PENDING = 1_000

/** Matches of senders with services, in memory until they are stored, because a crash merely delays learning. */
export class PendingMatches {
  readonly #matches = new Map<string, PendingMatch>()

  /**
   * Records that a sender's message named a service and was given to its order. Must be called after the commit.
   * Matches that rest on a hint, on the sender alone, or on the lack of other orders are ignored.
   */
  note(book: SenderBook, match: { sender: string; naming: Naming; serviceCode: string; userId: number }): void {
    const { naming, serviceCode, userId } = match
    if (naming.kind !== 'named' || naming.by === 'sender' || !naming.services.includes(serviceCode)) return
    if (this.#matches.size >= MAX_PENDING) return
    const sender = namesOfSender(match.sender).at(-1)
    if (sender === undefined || !mayBeLearnt(sender) || book.ignoredBy(sender) !== null) return
    // Senders of the seed or of staff need no learning, but learnt senders may prove wrong.
    const said = book.index().senders.get(sender)
    const agrees = said?.services.some((code) => book.familyOf(code) === book.familyOf(serviceCode)) === true
    if (said !== undefined && (!said.learnt || agrees)) return
    this.#matches.set(`${sender} ${serviceCode} ${userId}`, { sender, serviceCode, userId })
  }

  take(): PendingMatch[] {
    const matches = [...this.#matches.values()]
    this.#matches.clear()
    return matches
  }
}

export const pendingMatchesOf = perContext(
  'matches to be written',
  { scope: 'world', nodes: 'own', lost: 'some counts of what senders wrote' },
  () => new PendingMatches(),
)
