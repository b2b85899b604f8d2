import { useTranslations } from 'use-intl'
import type { NotificationRecord } from '#contract/notifications/notification.ts'
import { inBackground } from '#web/house/in-background.ts'
import { Button } from '#web/ui/button.tsx'
import { ListEnd } from '#web/ui/list-end.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { NotificationRow } from './notification-row.tsx'
import type { useNotifications } from './use-notifications.ts'

const SKELETONS = [1, 2, 3, 4]

type NotificationListProps = {
  query: ReturnType<typeof useNotifications>
  narrowed: boolean
  onOpen: (record: NotificationRecord) => void
}

export function NotificationList({ query, narrowed, onOpen }: NotificationListProps) {
  const t = useTranslations('notifications')
  const { data, isError } = query
  if (data === undefined) {
    return isError ? (
      <div role="alert" className="grid justify-items-start gap-3 px-3 py-6">
        <p className="text-error">{t('failed')}</p>
        <Button onClick={() => inBackground(query.refetch())}>{t('retry')}</Button>
      </div>
    ) : (
      <div className="grid gap-2 p-3" aria-busy>
        {SKELETONS.map((row) => (
          <Skeleton key={row} className="h-14" />
        ))}
      </div>
    )
  }
  const records = data.pages.flatMap(({ notifications }) => notifications)
  if (records.length === 0) {
    return (
      <div className="px-3 py-8">
        <p className="font-semibold">{narrowed ? t('nothingTitle') : t('emptyTitle')}</p>
        <p className="mt-1 text-sm text-muted">{narrowed ? t('nothingText') : t('emptyText')}</p>
      </div>
    )
  }
  return (
    <div
      tabIndex={-1}
      className="max-h-[min(30rem,calc(100dvh-13rem))] overflow-y-auto overscroll-contain outline-none"
    >
      <ul className="divide-y divide-hairline">
        {records.map((record) => (
          <NotificationRow key={record.id} record={record} onOpen={onOpen} />
        ))}
      </ul>
      <ListEnd query={query} words={{ loading: t('loadingMore'), failed: t('failed'), retry: t('retry') }} />
    </div>
  )
}
