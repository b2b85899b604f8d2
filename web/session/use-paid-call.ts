import { useRef, useState } from 'react'
import { newId } from './new-id.ts'
import { isUnanswered } from './unanswered.ts'

/** One press of a button that may cost money. `about` names what is bought: a repeat of it is the same press. */
export type PaidPress<Reply> = { about: string; send: (idempotencyKey: string) => Promise<Reply> }

export type PaidCall<Reply> = {
  /** What the call under way is about. */
  pending: string | null
  /** The reply; null when another call is under way. Rejects as the call does. */
  pay: (press: PaidPress<Reply>) => Promise<Reply | null>
}

/**
 * Calls that may cost money, one at a time. Each press has a key of its own. One whose answer never came keeps its key and
 * its input: the next press about the same thing sends both again, and so cannot buy twice.
 */
export function usePaidCall<Reply>(): PaidCall<Reply> {
  const [pending, setPending] = useState<string | null>(null)
  const busy = useRef(false)
  const unanswered = useRef(new Map<string, () => Promise<Reply>>())

  async function pay({ about, send }: PaidPress<Reply>): Promise<Reply | null> {
    if (busy.current) return null
    busy.current = true
    setPending(about)
    const key = newId()
    const sendNow = unanswered.current.get(about) ?? (() => send(key))
    unanswered.current.delete(about)
    try {
      return await sendNow()
    } catch (error) {
      if (isUnanswered(error)) unanswered.current.set(about, sendNow)
      throw error
    } finally {
      busy.current = false
      setPending(null)
    }
  }
  return { pending, pay }
}
