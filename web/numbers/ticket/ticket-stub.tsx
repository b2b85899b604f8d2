import { useTranslations } from 'use-intl'
import type { ActivationRecord } from '#contract/activation.ts'
import { CodeFace } from '#web/numbers/codes/code-face.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { Countdown } from '#web/ui/time/countdown.tsx'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'
import { EndedFace } from './ended-face.tsx'
import { TicketButtons } from './ticket-buttons.tsx'

export function TicketStub({ record }: { record: ActivationRecord }) {
  return (
    <>
      <div className="flex min-h-14 flex-1 flex-col justify-center">
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
      <p className="flex items-baseline justify-between gap-3">
        <span className="sr-only">{t('timeLeft')}</span>
        <Countdown at={record.expires_at} className="text-[34px] font-semibold leading-none tracking-tight" />
        <span className="text-right leading-tight text-muted">
          <Price amount={record.price} currency={record.currency} className="block" />
          {record.money === 'held' ? <span className="text-[13px]">{t('held')}</span> : null}
        </span>
      </p>
      {over ? <p className="mt-1 text-[13px] text-muted">{t('settling')}</p> : null}
      {record.state === 'waiting_again' && record.code !== null ? <EarlierCode code={record.code} /> : null}
    </>
  )
}

function EarlierCode({ code }: { code: string }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(code)
  return (
    <button
      type="button"
      onClick={copy}
      className="mt-1 inline-flex min-h-10 items-center gap-2 self-start text-[13px] text-muted"
    >
      {copied ? t('copied') : t('earlierCode')}
      <span className="font-mono text-[15px] text-ink">{code}</span>
    </button>
  )
}

function StubNote({ record }: { record: ActivationRecord }) {
  const t = useTranslations('ticket')
  const opened = record.messages.some(({ notice }) => notice === true)
  const words = record.state === 'reserving' ? t('reserving') : opened ? t('notice.opened') : t('noCodeInText')
  return (
    <>
      <p className="font-semibold">{words}</p>
      <Price amount={record.price} currency={record.currency} className="text-[14px] text-muted" />
    </>
  )
}
