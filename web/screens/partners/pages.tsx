import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'

export function Pages({ page, last, onPage }: { page: number; last: number; onPage: (page: number) => void }) {
  const t = useTranslations('referral')
  if (last <= 1) return null
  return (
    <div className="mt-3 flex items-center gap-3">
      <Button aria-disabled={page <= 1} onClick={() => onPage(Math.max(1, page - 1))}>
        {t('newer')}
      </Button>
      <p className="tabular text-sm text-muted">{t('pageOf', { page, last })}</p>
      <Button aria-disabled={page >= last} onClick={() => onPage(Math.min(last, page + 1))}>
        {t('older')}
      </Button>
    </div>
  )
}
