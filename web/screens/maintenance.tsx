import { useTranslations } from 'use-intl'
import { PageHead } from '#web/ui/page-head.tsx'
import { TornTicket } from '#web/ui/torn-ticket.tsx'

/** 503: only the server's message and a picture. */
export function Maintenance({ message }: { message: string }) {
  const t = useTranslations('errors')
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-6 p-6 text-center">
      <PageHead title={t('maintenanceTitle')} indexable={false} />
      <TornTicket text="503" />
      <p className="max-w-md text-lg">{message}</p>
    </main>
  )
}
