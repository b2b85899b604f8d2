import { useEffect } from 'react'
import { useAppContext } from '#web/app-context.ts'
import { logFailure } from '#web/log-failure.ts'
import { useStore } from '#web/store.ts'

/**
 * Keeps the page that is shown without a connection (web/public/sw.js). Build and language stand in the worker's address:
 * another of either is another worker, which replaces this one and its copies.
 */
export function useOfflinePage(): void {
  const { page, language } = useAppContext()
  const { locale } = useStore(language)
  useEffect(() => {
    // Browsers have none on a page that came without TLS.
    if (!('serviceWorker' in navigator)) return
    navigator.serviceWorker
      .register(`/sw.js?build=${page.buildId}&locale=${locale}`)
      .catch((error: unknown) => logFailure('the page for times without a connection could not be kept', error))
  }, [page, locale])
}
