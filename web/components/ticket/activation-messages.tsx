import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { formatPhone } from '#contract/phone-format.ts'
import { useApi } from '../../frame.ts'
import { activationKey } from '../../live/apply-to-cache.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Mark } from '../mark.tsx'
import { Skeleton } from '../skeleton.tsx'
import { MessageCards } from './ticket-messages.tsx'

/** The dialog of one number: all its messages. A message that comes while it is open appears in it. */
export function ActivationMessages({ id }: { id: number }) {
  const t = useTranslations('ticket')
  const api = useApi()
  const query = useQuery({
    queryKey: activationKey(id),
    queryFn: ({ signal }) => api('GET /api/v1/activations/{id}', { id }, { signal }),
  })
  if (query.isError && query.data === undefined) {
    return (
      <EmptyState kind="error" title={t('messagesFailed')}>
        <Button onClick={() => void query.refetch()}>{t('retry')}</Button>
      </EmptyState>
    )
  }
  if (query.data === undefined) {
    return (
      <div className="flex flex-col gap-3" aria-busy="true">
        <Skeleton className="h-10 w-64 max-w-full" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    )
  }
  const { service, country, phone, messages } = query.data.data
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-3">
        <Mark service={service} size="large" />
        <span className="leading-tight">
          <span className="block font-semibold">{service.name}</span>
          <span className="tabular text-muted">{phone === null ? country.name : formatPhone(phone, country.dial)}</span>
        </span>
      </p>
      {messages.length === 0 ? <p className="text-muted">{t('waiting')}</p> : <MessageCards messages={messages} />}
    </div>
  )
}
