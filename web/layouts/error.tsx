import { useCallback, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { MAINTENANCE_RETRY_SECONDS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useOnline } from '#web/live/use-online.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { NotFound } from '#web/screens/not-found/not-found.tsx'
import { useFailure } from '#web/session/use-failure.ts'
import { ErrorContent } from './lazy/error-content.tsx'
import { MainLayout } from './main.tsx'
import { Maintenance } from './maintenance.tsx'

export function ErrorLayout({ error }: { error: unknown }) {
  const { faults } = useAppContext()
  const t = useTranslations('errors')
  const call = error instanceof CallError ? error : null
  const status = call?.httpStatus ?? 500
  const words = call?.message ?? ''
  // The API client has already reported a failed call, so only other errors are reported here.
  useEffect(() => {
    if (call === null) faults.tell({ error })
  }, [call, error, faults])
  const isMaintenance = status === 503 && words !== ''
  const unreached = useUnreached(call?.code ?? null, error)
  const reload = useReturn(unreached)
  const fail = useFailure()
  // Failures are handled like those of any call (specification 8). Maintenance and offline pages already show the text.
  useEffect(() => {
    if (!isMaintenance && !unreached) fail(error)
  }, [error, fail, isMaintenance, unreached])
  if (isMaintenance) return <Maintenance message={words} />
  const isRefusal = status < 500 && words !== ''
  return <MainLayout>{content()}</MainLayout>

  function content() {
    if (unreached) return <ErrorContent title={t('offlineTitle')} words={t('offline')} onRetry={reload} />
    if (status === 404) return <NotFound />
    return (
      <ErrorContent
        status={isRefusal ? status : Math.max(status, 500)}
        title={isRefusal ? t('refusedTitle') : t('failedTitle')}
        words={isRefusal ? words : t('failed')}
        onRetry={() => location.reload()}
      />
    )
  }
}

/** Returns true if no reply came or a script was missing offline. The result stays true after the network returns. */
function useUnreached(code: string | null, error: unknown): boolean {
  const online = useOnline()
  const [withoutNetwork, setWithoutNetwork] = useState<unknown>(null)
  if (!online && error !== withoutNetwork) setWithoutNetwork(error)
  return code === 'NO_REPLY' || (code === null && (!online || error === withoutNetwork))
}

/**
 * Reloads the page when the network returns, and at intervals, because browsers count a network without internet access
 * as online. The URL stays, and with it the buyer's choice. Returns the same reload function for a button.
 */
function useReturn(isWanted: boolean): () => void {
  const pages = usePages()
  const again = useCallback(() => {
    // A navigation is in progress, which a reload would restart.
    if (pages.next.get() === null) inBackground(pages.reload())
  }, [pages])
  useEffect(() => {
    if (!isWanted) return
    addEventListener('online', again)
    // The network may have come back before the error was shown.
    const soon = setTimeout(() => navigator.onLine && again(), SECOND)
    const timer = setInterval(again, MAINTENANCE_RETRY_SECONDS * SECOND)
    return () => {
      removeEventListener('online', again)
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [isWanted, again])
  return again
}
