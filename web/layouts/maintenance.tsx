import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { MAINTENANCE_RETRY_SECONDS } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import { inBackground } from '#web/house/in-background.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { TornTicket } from '#web/ui/torn-ticket.tsx'

const RETRY_MS = MAINTENANCE_RETRY_SECONDS * SECOND
const TOO_MANY_REQUESTS = 429

/** Renders the 503 page: the server's message and a picture (specification 2). It reloads when the site is back. */
export function Maintenance({ message }: { message: string }) {
  const t = useTranslations('errors')
  useEffect(() => {
    const timer = setInterval(() => inBackground(returnWhenOver()), RETRY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-6 p-6 text-center">
      <PageHead title={t('maintenanceTitle')} indexable={false} />
      <TornTicket />
      <h1 className="max-w-md text-xl font-semibold tracking-tight text-balance wrap-break-word">{message}</h1>
    </main>
  )
}

/** Polls before a reload, because a failed reload would end at an error page of the browser or a proxy. */
async function returnWhenOver(): Promise<void> {
  const signal = AbortSignal.timeout(RETRY_MS / 2)
  const reply = await fetch(location.href, { method: 'HEAD', cache: 'no-store', signal }).catch(() => null)
  if (reply !== null && reply.status < 500 && reply.status !== TOO_MANY_REQUESTS) location.reload()
}
