import { useCallback, useEffect } from 'react'
import { MAINTENANCE_RETRY_SECONDS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import { inBackground } from '#web/house/in-background.ts'
import { usePages } from '#web/navigation/use-page.ts'

/**
 * Loads the page again when the network is back, and now and then: browsers call a network without internet access online.
 * The address stays, and with it the choice. Returns the same for a press.
 */
export function useReturn(isWanted: boolean): () => void {
  const pages = usePages()
  const again = useCallback(() => {
    // A visit under way would begin anew.
    if (pages.next.get() === null) inBackground(pages.reload())
  }, [pages])
  useEffect(() => {
    if (!isWanted) return
    addEventListener('online', again)
    const timer = setInterval(again, MAINTENANCE_RETRY_SECONDS * SECOND)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [isWanted, again])
  return again
}
