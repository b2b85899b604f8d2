import type { Naming } from './naming.ts'
import type { SenderBook } from './sender-book.ts'
import { mayBeLearnt, namesOfSender } from './sender-name.ts'

/** A sender that brought a message which named its service by more than the sender, to an account that waited for it. */
export type PendingMatch = { sender: string; serviceCode: string; userId: number }

/** Kept between two writes; what comes beyond is not needed: five accounts are enough for any sender. */
const MAX_PENDING = 1_000

/** Certain matches that are not written yet. Losing them in a crash only delays learning. */
export class PendingMatches {
  readonly #matches = new Map<string, PendingMatch>()

  /**
   * Notes a message that was given to the holder of the service it named. Cheap, and never throws: call it after the
   * commit. What was matched by elimination, by a hint, or by the sender itself is passed over.
   */
  note(book: SenderBook, match: { sender: string; naming: Naming; serviceCode: string; userId: number }): void {
    const { naming, serviceCode, userId } = match
    if (naming.kind !== 'named' || naming.by === 'sender' || !naming.services.includes(serviceCode)) return
    if (this.#matches.size >= MAX_PENDING) return
    const sender = namesOfSender(match.sender).at(-1)
    if (sender === undefined || !mayBeLearnt(sender) || book.ignoredBy(sender) !== null) return
    // What the seed or staff say needs no learning; what was learnt may be found wrong.
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
