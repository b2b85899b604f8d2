import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useApi } from '#web/house/app-context.ts'

export function SheetHead({ title }: { title: string }) {
  const t = useTranslations('history')
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['contacts'],
    queryFn: ({ signal }) => api('GET /api/v1/programmes', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { email = null, telegram = null } = data?.contacts ?? {}
  const ways = [...(email === null ? [] : [email]), ...(telegram === null ? [] : [`@${telegram}`])]
  return (
    <header className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-hairline pb-3">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="font-medium text-ink">Ringpost</span>
        {ways.map((way) => (
          <span key={way}>{way}</span>
        ))}
        {data !== undefined && ways.length === 0 ? <span className="sr-only">{t('noContacts')}</span> : null}
      </p>
    </header>
  )
}
