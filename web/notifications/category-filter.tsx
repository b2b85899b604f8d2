import { useTranslations } from 'use-intl'
import { NOTIFICATION_CATEGORIES, type NotificationCategory } from '#contract/notifications/notification-constants.ts'
import { useSettings } from '#web/house/app-context.ts'

type CategoryFilterProps = {
  chosen: NotificationCategory | null
  onChoose: (category: NotificationCategory | null) => void
}

export function CategoryFilter({ chosen, onChoose }: CategoryFilterProps) {
  const t = useTranslations('notifications')
  const { notificationCategories: offered } = useSettings()
  const categories = NOTIFICATION_CATEGORIES.filter((category) => offered.includes(category))
  return (
    <label className="flex items-center gap-2 border-b border-hairline px-3 pb-1.5 text-sm text-muted">
      {t('filter')}
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(categories.find((one) => one === value) ?? null)}
        className="min-h-10 grow cursor-pointer rounded border border-edge bg-surface px-2 text-[15px] text-ink"
      >
        <option value="">{t('all')}</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {t(`categories.${category}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
