import { Bell as BellIcon } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useUser } from '#web/house/app-context.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { ICON_BUTTON_LOOK } from '#web/ui/icon-button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const BellPanel = lazyPart(
  async () => (await import('#web/notifications/bell-panel.tsx')).BellPanel,
  <Skeleton className="h-72" />,
)

const WaitingCount = lazyPart(
  async () => (await import('#web/staff/waiting-count.tsx')).WaitingCount,
  <span className="size-10" />,
)

/** Renders the bell of notifications, which members always see. The badge omits the count 0 (specification 2). */
export function Bell() {
  const t = useTranslations('header')
  const user = useUser()
  const count = user?.notifications_count ?? 0
  const bell = (
    <Disclosure
      label={t('notifications', { count })}
      button={
        <>
          <BellIcon size={18} aria-hidden />
          {count > 0 ? <Badge count={count} /> : null}
        </>
      }
      buttonLook={ICON_BUTTON_LOOK}
      panelLook="right-0 top-full mt-1 w-96 max-sm:fixed! max-sm:inset-x-2 max-sm:top-14 max-sm:w-auto"
    >
      {(close) => <BellPanel close={close} />}
    </Disclosure>
  )
  if (user === null || user.role === 'user') return bell
  return (
    <>
      <WaitingCount />
      {bell}
    </>
  )
}

function Badge({ count }: { count: number }) {
  return (
    <span
      aria-hidden
      className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-signal-fill px-1 text-center text-[11px] leading-4.5 font-semibold text-on-signal tabular"
    >
      {count > 99 ? '99+' : count}
    </span>
  )
}
