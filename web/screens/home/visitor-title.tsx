import { useTranslations } from 'use-intl'

export function VisitorTitle() {
  const t = useTranslations('home')
  return (
    <div className="max-lg:-mb-6 lg:col-start-2">
      <p className="max-w-xl text-2xl font-semibold tracking-tight text-balance lg:text-4xl">{t('visitorTitle')}</p>
      <p className="mt-3 max-w-xl text-[17px] text-muted max-lg:hidden">{t('visitorText')}</p>
    </div>
  )
}
