import { useTranslations } from 'use-intl'
import type { NotificationRecord } from '#contract/notifications/notification.ts'
import { Link } from '#web/navigation/link.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

type NotificationRowProps = { record: NotificationRecord; onOpen: (record: NotificationRecord) => void }

const LOOK = 'flex w-full gap-2.5 px-3 py-2.5 text-left hover:bg-sunken'

export function NotificationRow({ record, onOpen }: NotificationRowProps) {
  const open = () => onOpen(record)
  return (
    <li>
      {record.link === null ? (
        <button type="button" className={LOOK} onClick={open}>
          <Words record={record} />
        </button>
      ) : (
        <Link to={record.link} className={LOOK} onClick={open}>
          <Words record={record} />
        </Link>
      )}
    </li>
  )
}

function Words({ record }: Pick<NotificationRowProps, 'record'>) {
  const t = useTranslations('notifications')
  const { title, text, created_at: at, read } = record
  return (
    <>
      <span
        aria-hidden
        className={`mt-1.5 size-2 shrink-0 rounded-full ${read ? 'bg-transparent' : 'bg-signal-bright'}`}
      />
      <span className="min-w-0 grow">
        <span className={`block leading-snug wrap-anywhere ${read ? '' : 'font-semibold'}`}>
          {read ? null : <span className="sr-only">{t('unread')} </span>}
          {title}
        </span>
        <span className="mt-0.5 block text-sm leading-snug wrap-anywhere text-muted">{text}</span>
        <span className="mt-0.5 block text-[13px] text-muted">
          <LocalMoment at={at} />
        </span>
      </span>
    </>
  )
}
