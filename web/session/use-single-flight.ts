import { useRef, useState } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from './use-failure.ts'

/** Runs one task at a time, and ignores tasks requested meanwhile. Failures are shown as usual. */
export function useSingleFlight(): { pending: boolean; once: (work: () => Promise<void>) => void } {
  const fail = useFailure()
  const [pending, setPending] = useState(false)
  const busy = useRef(false)

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy.current) return
    busy.current = true
    setPending(true)
    try {
      await work()
    } catch (error) {
      fail(error)
    } finally {
      busy.current = false
      setPending(false)
    }
  }
  return { pending, once: (work) => inBackground(run(work)) }
}
