import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { NotificationCategory } from '#contract/notifications/notification.ts'
import { NOTIFICATION_CATEGORIES } from '#contract/notifications/notification-constants.ts'
import { useSettings, useUser } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { routeNamed } from '#web/navigation/routes.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextButton } from '#web/ui/text-button.tsx'
import { NotificationList } from './notification-list.tsx'
import { useNotifications, useReading } from './use-notifications.ts'

type BellPanelProps = { close: () => void }

export function BellPanel({ close }: BellPanelProps) {
  return (
    <WithAllTexts place={<Skeleton className="h-72" />}>
      <Panel close={close} />
    </WithAllTexts>
  )
}

function Panel({ close }: BellPanelProps) {
  const t = useTranslations('notifications')
  const [category, setCategory] = useState<NotificationCategory | null>(null)
  const query = useNotifications(category)
  const { read, readAll } = useReading()
  const unread = useUser()?.notifications_count ?? 0
  const settings = routeNamed('settings-notifications')
  const newest = query.data?.pages[0]?.notifications[0]?.id
  return (
    <section aria-label={t('title')}>
      <div className="flex min-h-10 items-center gap-2 pl-3">
        <h2 className="grow text-base font-semibold">{t('title')}</h2>
        {unread === 0 || newest === undefined ? null : (
          <TextButton onClick={() => readAll({ category, upTo: newest })}>{t('readAll')}</TextButton>
        )}
        {settings === undefined ? null : (
          <Link
            to={settings.path}
            aria-label={t('settings')}
            title={t('settings')}
            className={ICON_BUTTON_LOOK}
            onClick={close}
          >
            <Settings2 size={18} aria-hidden />
          </Link>
        )}
      </div>
      <CategoryFilter chosen={category} onChoose={setCategory} />
      <NotificationList
        query={query}
        narrowed={category !== null}
        onOpen={(record) => {
          if (!record.read) read(record)
          if (record.link !== null) close()
        }}
      />
    </section>
  )
}

type CategoryFilterProps = {
  chosen: NotificationCategory | null
  onChoose: (category: NotificationCategory | null) => void
}

function CategoryFilter({ chosen, onChoose }: CategoryFilterProps) {
  const t = useTranslations('notifications')
  const { notificationCategories: offered } = useSettings()
  const categories = NOTIFICATION_CATEGORIES.filter((category) => offered.includes(category))
  return (
    <fieldset className="flex min-w-0 overflow-x-auto border-b border-hairline [scrollbar-width:thin]">
      <legend className="sr-only">{t('filter')}</legend>
      {[null, ...categories].map((category) => (
        <button
          key={category}
          type="button"
          aria-pressed={category === chosen}
          className="-mb-px min-h-10 shrink-0 border-b-2 border-transparent px-2.5 text-[14px] text-muted hover:text-ink focus-visible:-outline-offset-2 aria-pressed:border-signal-bright aria-pressed:font-semibold aria-pressed:text-ink"
          onClick={() => onChoose(category)}
        >
          {category === null ? t('all') : t(`categories.${category}`)}
        </button>
      ))}
    </fieldset>
  )
}
