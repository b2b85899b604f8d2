import { Bell as BellIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'

/** `count`: unread notifications. */
export function Bell({ count }: { count: number }) {
  const t = useTranslations('header')
  const label = t('notifications', { count })
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="relative inline-flex size-10 items-center justify-center"
    >
      <BellIcon size={18} aria-hidden />
      <span
        aria-hidden
        className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-signal-fill px-1 text-center text-[11px] leading-4.5 font-semibold text-on-signal tabular"
      >
        {count > 99 ? '99+' : count}
      </span>
    </span>
  )
}
