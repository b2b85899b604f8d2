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

/** Makes one paid call at a time. A repeat after a lost reply has the same idempotency key, so it cannot buy twice. */
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
      if (isOutcomeUnknown(error)) unanswered.current.set(about, sendNow)
      throw error
    } finally {
      busy.current = false
      setPending(null)
    }
  }
  return { pending, pay }
}
