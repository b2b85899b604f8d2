import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { PageHead } from './page-head.tsx'
import { TornTicket } from './torn-ticket.tsx'

/** `refusal`: the message of an expected failure (403, 409, 422, 429); null for our own fault. */
export function ErrorContent({ status, refusal }: { status: number; refusal: string | null }) {
  const t = useTranslations('errors')
  const title = refusal === null ? t('failedTitle') : t('refusedTitle')
  return (
    <>
      <PageHead title={title} indexable={false} />
      <div className="grid justify-items-center gap-5 py-12 text-center">
        <TornTicket text={String(status)} />
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="max-w-md text-muted">{refusal ?? t('failed')}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {t('retry')}
        </Button>
      </div>
    </>
  )
}
