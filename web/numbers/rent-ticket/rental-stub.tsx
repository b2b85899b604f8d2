import { useTranslations } from 'use-intl'
import type { RentalRecord } from '#contract/rental.ts'
import { CodeFace } from '#web/numbers/codes/code-face.tsx'
import { EndedFace } from '#web/numbers/ticket/ended-face.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { leftParts } from '#web/ui/time/period.ts'
import { formatSeconds, secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { RentalButtons } from './rental-buttons.tsx'

type RentalStubProps = {
  record: RentalRecord
  dismissible: boolean
}

export function RentalStub({ record, dismissible }: RentalStubProps) {
  return (
    <>
      <div className="ticket-face">
        <StubFace record={record} />
      </div>
      <RentalButtons record={record} dismissible={dismissible} />
    </>
  )
}

function StubFace({ record }: { record: RentalRecord }) {
  const t = useTranslations('rent')
  switch (record.state) {
    case 'reserving':
      return <p className="ticket-value text-lg leading-tight font-semibold">{t('reserving')}</p>
    case 'active':
      return <ActiveFace record={record} />
    case 'finished':
    case 'expired':
    case 'cancelled':
    case 'revoked':
    case 'failed':
      return <EndedFace record={record} words={t(`state.${record.state}`)} />
    default:
      return record.state satisfies never
  }
}

function ActiveFace({ record }: { record: RentalRecord }) {
  const t = useTranslations('rent')
  const { code, expired_date: endsAt, expiring } = record
  const over = useAtNow((nowMs) => secondsUntil(endsAt, nowMs) === 0)
  if (code !== null) {
    return (
      <CodeFace code={code}>
        <RentTimeLeft at={endsAt} short={expiring} className={expiring ? '' : 'text-muted'} />
      </CodeFace>
    )
  }
  return (
    <>
      <p className="ticket-value">
        <span className="sr-only">{t('timeLeft')}</span>
        <RentTimeLeft at={endsAt} short={expiring} className="text-[28px] font-semibold leading-none tracking-tight" />
      </p>
      <p className="ticket-help text-muted">
        {over ? t('settling') : t('until')} {over ? null : <LocalMoment at={endsAt} />}
      </p>
    </>
  )
}

/** Renders the time left, which is no live region, because screen readers would read each change. */
export function RentTimeLeft({ at, short, className = '' }: { at: string; short: boolean; className?: string }) {
  const t = useTranslations('rent')
  // The hook selects a string, so the component renders only if its text changes.
  const left = useAtNow((nowMs) => {
    const parts = leftParts(secondsUntil(at, nowMs))
    switch (parts.unit) {
      case 'days':
        return t('leftDays', parts)
      case 'hours':
        return t('leftHours', parts)
      case 'seconds':
        return formatSeconds(parts.seconds)
      default:
        return parts satisfies never
    }
  })
  return (
    <time
      dateTime={at}
      role="timer"
      aria-live="off"
      className={`tabular whitespace-nowrap ${short ? 'text-soon' : ''} ${className}`}
    >
      {left}
    </time>
  )
}
