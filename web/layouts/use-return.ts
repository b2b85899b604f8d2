import { useCallback, useEffect } from 'react'
import { MAINTENANCE_RETRY_SECONDS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import { inBackground } from '#web/house/in-background.ts'
import { usePages } from '#web/navigation/use-page.ts'

/**
 * Reloads the page when the network is back, and at intervals, because browsers call a network without internet access
 * online.
 * The address stays, and the buyer's choice with it. Returns the same reload for a button.
 */
export function useReturn(isWanted: boolean): () => void {
  const pages = usePages()
  const again = useCallback(() => {
    // The reload would restart a navigation in progress.
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
