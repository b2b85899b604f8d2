import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { CodeDigits } from '#web/numbers/codes/code-digits.tsx'
import { CodeFace } from '#web/numbers/codes/code-face.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'
import { Countdown } from '#web/ui/time/countdown.tsx'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { EndedFace } from './ended-face.tsx'
import { TicketButtons } from './ticket-buttons.tsx'

export function TicketStub({ record }: { record: ActivationRecord }) {
  return (
    <>
      <div className="ticket-face">
        <StubFace record={record} />
      </div>
      <TicketButtons record={record} />
    </>
  )
}

function StubFace({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  switch (record.state) {
    case 'reserving':
      return <StubNote record={record} />
    case 'waiting':
    case 'waiting_again':
      return <WaitingFace record={record} />
    case 'received':
    case 'finished':
      if (record.refunded !== undefined) return <EndedFace record={record} words={t('state.refunded')} />
      if (record.code === null) return <StubNote record={record} />
      return (
        <CodeFace code={record.code}>
          {record.final ? null : <Countdown at={record.expires_at} className="text-muted" />}
        </CodeFace>
      )
    case 'cancelled':
    case 'expired':
    case 'used':
    case 'failed':
      return <EndedFace record={record} words={t(`state.${record.state}`)} />
    default:
      return record.state satisfies never
  }
}

function WaitingFace({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const over = useAtNow((nowMs) => secondsUntil(record.expires_at, nowMs) === 0)
  return (
    <>
      <p className="ticket-value">
        <span className="sr-only">{t('timeLeft')}</span>
        <Countdown at={record.expires_at} className="ticket-time font-codes font-bold" />
      </p>
      <div className="ticket-help text-muted">
        {over ? (
          <p>{t('settling')}</p>
        ) : record.state === 'waiting_again' && record.code !== null ? (
          <EarlierCode code={record.code} />
        ) : record.money === 'held' ? (
          <p>{t('held')}</p>
        ) : null}
      </div>
    </>
  )
}

function EarlierCode({ code }: { code: string }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(code)
  return (
    <button type="button" onClick={copy} className="-my-2 inline-flex min-h-10 items-center gap-2 self-start">
      {copied ? t('copied') : t('earlierCode')}
      <CodeDigits code={code} className="text-[15px] text-ink" />
    </button>
  )
}

function StubNote({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const opened = record.messages.some(({ notice }) => notice === true)
  const words = record.state === 'reserving' ? t('reserving') : opened ? t('notice.opened') : t('noCodeInText')
  return <p className="ticket-value text-lg leading-tight font-semibold">{words}</p>
}
