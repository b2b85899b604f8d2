import { useEffect } from 'react'
import { contentLocale } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import { useStore } from '#web/house/stores/store.ts'

/** Registers the service worker (web/public/sw.js). Its URL has build and language, so that changes renew it. */
export function useOfflinePage(): void {
  const { page, language } = useAppContext()
  const { locale } = useStore(language)
  useEffect(() => {
    // Browsers offer service workers on secure origins only.
    if (!('serviceWorker' in navigator)) return
    navigator.serviceWorker
      .register(`/sw.js?build=${page.buildId}&locale=${contentLocale(locale)}`)
      .catch((error: unknown) => logFailure('the page for times without a connection could not be kept', error))
  }, [page, locale])
}
