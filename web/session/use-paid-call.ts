import { useRef, useState } from 'react'
import { newId } from '#web/house/new-id.ts'
import { isOutcomeUnknown } from './outcome-unknown.ts'

/** `about` identifies the purchase. Another press with the same `about` repeats the same purchase. */
export type PaidPress<Reply> = { about: string; send: (idempotencyKey: string) => Promise<Reply> }

export type PaidCall<Reply> = {
  pending: string | null
  /** Makes the call. Returns null if another call is pending, and rejects if the call fails. */
  pay: (press: PaidPress<Reply>) => Promise<Reply | null>
}

/** The calls without an answer, by what they are about. */
export type Unanswered<Reply> = Map<string, () => Promise<Reply>>

/**
 * Makes one paid call at a time. A repeat after a lost reply has the same idempotency key, so it cannot buy twice.
 * `shared` outlives the component, for buttons that are drawn anew while a call is under way.
 */
export function usePaidCall<Reply>(shared?: Unanswered<Reply>): PaidCall<Reply> {
  const [pending, setPending] = useState<string | null>(null)
  const busy = useRef(false)
  const [own] = useState<Unanswered<Reply>>(() => new Map())
  const unanswered = shared ?? own

  async function pay({ about, send }: PaidPress<Reply>): Promise<Reply | null> {
    if (busy.current) return null
    busy.current = true
    setPending(about)
    const key = newId()
    const sendNow = unanswered.get(about) ?? (() => send(key))
    unanswered.set(about, sendNow)
    try {
      const reply = await sendNow()
      unanswered.delete(about)
      return reply
    } catch (error) {
      if (!isOutcomeUnknown(error)) unanswered.delete(about)
      throw error
    } finally {
      busy.current = false
      setPending(null)
    }
  }
  return { pending, pay }
}
