import { useTranslations } from 'use-intl'
import type { Entry } from '#contract/past/entries.ts'
import { paymentWord } from '#web/money/payment-word.ts'
import { Link } from '#web/navigation/link.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { receiptSearch } from '../history-filter.ts'
import { movedBy } from './moved-by.ts'
import { purposeOf } from './purpose.ts'

export function EntrySubject({ entry }: { entry: Entry }) {
  const { subject, payment, kind } = entry
  if (subject !== null) return <Purchase kind={kind} subject={subject} />
  if (payment !== null) return <Payment payment={payment} />
  return <Alone entry={entry} />
}

function Purchase({ kind, subject }: { kind: Entry['kind']; subject: NonNullable<Entry['subject']> }) {
  const t = useTranslations('history')
  const { id, service, country } = subject
  return (
    <>
      <Mark service={service} />
      <span className="min-w-0">
        <span className="block wrap-anywhere">{service.name}</span>
        <span className="flex items-center gap-1.5 text-[13px] text-muted">
          <Flag iso2={country.iso2} size="tiny" />
          <span className="min-w-0">{country.name}</span>
        </span>
        <span className="dotted text-[13px] text-muted">
          <span>{t(purposeOf(kind, subject))}</span>
          <span className="font-mono text-[12px] whitespace-nowrap">{t('number', { id: String(id) })}</span>
        </span>
      </span>
    </>
  )
}

function Payment({ payment }: { payment: NonNullable<Entry['payment']> }) {
  const t = useTranslations('history')
  const states = useTranslations('topUp.state')
  const { transaction_id: id, name } = payment
  return (
    <span className="min-w-0">
      <span className="block wrap-anywhere">{name}</span>
      <span className="block text-[13px] text-muted">
        {states(paymentWord(payment))}
        {' · '}
        <Link
          to={{ search: receiptSearch(id) }}
          className="inline-flex min-h-10 items-center text-signal underline underline-offset-2"
        >
          {t('receipt.link')}
        </Link>
      </span>
    </span>
  )
}

/** Names who made a movement without purchase or payment: staff, the account's owner, or a bonus programme. */
function Alone({ entry }: { entry: Entry }) {
  const t = useTranslations('history')
  return <span className="text-muted">{t(movedBy(entry.parts[0]?.kind))}</span>
}
