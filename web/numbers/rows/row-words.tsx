import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { MessageRecord } from '#contract/activation.ts'
import type { NumberRecord } from '#web/live/numbers-cache.ts'
import { MessageTime } from '#web/numbers/codes/message-time.tsx'
import { closedNotices, listedMessages } from '#web/numbers/codes/notices.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'
import { useAtNow } from '#web/ui/time/use-at-now.ts'

/** Returns the message that stands in a row; undefined if there is none, or if the row says how the number ended. */
export function shownMessage(record: NumberRecord): MessageRecord | undefined {
  const [message] = listedMessages(record)
  const isGone = record.refunded !== undefined || record.state === 'waiting_again' || message?.withheld
  return isGone ? undefined : message
}

type RowWordsProps = { record: NumberRecord; endsAt: string; failure: string | null }

/** Tells in two lines the newest that is known of a number. */
export function RowWords({ record, endsAt, failure }: RowWordsProps): ReactNode {
  const t = useTranslations('ticket')
  const endWords = useEndWords(record)
  const waitWords = useWaitWords(record)
  const over = useAtNow((nowMs) => !record.final && secondsUntil(endsAt, nowMs) === 0)
  const message = shownMessage(record)
  const notices = 'expires_at' in record ? closedNotices(record).length : 0
  if (failure !== null) return <span className="text-error">{failure}</span>
  if (endWords !== null) return endWords
  if (over) return t('settling')
  if (notices > 0) return t('notice.came', { count: notices })
  if (message === undefined) return waitWords
  return (
    <>
      <MessageTime at={message.received_at} className="mr-1.5" />
      {message.text}
    </>
  )
}

/** Returns how a number ended; null for open numbers and for numbers that ended with a code. */
function useEndWords(record: NumberRecord): string | null {
  const t = useTranslations('ticket')
  const tRent = useTranslations('rent')
  if (!record.final) return null
  if (record.refunded !== undefined) return t('state.refunded')
  if ('expired_date' in record) {
    const { state } = record
    return state === 'reserving' || state === 'active' ? null : tRent(`state.${state}`)
  }
  switch (record.state) {
    case 'cancelled':
    case 'expired':
    case 'used':
    case 'failed':
      return t(`state.${record.state}`)
    default:
      return null
  }
}

function useWaitWords(record: NumberRecord): string {
  const t = useTranslations('ticket')
  const tRent = useTranslations('rent')
  if (record.state === 'reserving') return t('reserving')
  if ('expired_date' in record) return `${tRent('waiting')}…`
  return `${record.state === 'waiting_again' ? t('waitingAgain') : t('waiting')}…`
}
