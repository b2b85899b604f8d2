import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { PageHead } from './page-head.tsx'
import { TornTicket } from './torn-ticket.tsx'

/** 500: our fault, nothing of the person's is lost, and what to do. */
export function ErrorContent() {
  const t = useTranslations('errors')
  return (
    <>
      <PageHead title={t('failedTitle')} indexable={false} />
      <div className="grid justify-items-center gap-5 py-12 text-center">
        <TornTicket text="500" />
        <h1 className="text-2xl font-semibold tracking-tight">{t('failedTitle')}</h1>
        <p className="max-w-md text-muted">{t('failed')}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {t('retry')}
        </Button>
      </div>
    </>
  )
}
