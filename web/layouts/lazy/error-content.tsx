import { useTranslations } from 'use-intl'
import { PageHead } from '#web/navigation/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { TornTicket } from '#web/ui/torn-ticket.tsx'

type ErrorContentProps = {
  status?: number
  title: string
  words: string
  onRetry: () => void
}

export function ErrorContent({ status, title, words, onRetry }: ErrorContentProps) {
  const t = useTranslations('errors')
  return (
    <>
      <PageHead title={title} indexable={false} />
      <div className="grid justify-items-center gap-5 py-12 text-center">
        <TornTicket text={status} />
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="max-w-md text-balance text-muted">{words}</p>
        <Button kind="primary" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </>
  )
}
