import { ChevronDown, Minus, Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Entry } from '#contract/past/entries.ts'
import { Link } from '#web/navigation/link.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { receiptSearch } from '../history-filter.ts'
import { FateWords, fateOf } from './entry-told.tsx'
import { movedBy } from './moved-by.ts'

type EntryBriefProps = {
  entry: Entry
  /** Says whether the row is open; null if it has nothing to open. */
  opens: boolean | null
}

/** Says on phones, in the line of the movement, what it was for. Its mark stands at the left of the row. */
export function EntryBrief({ entry: { subject, amount, parts }, opens }: EntryBriefProps) {
  const Sign = amount.startsWith('-') ? Minus : Plus
  return (
    <span className={`lg:hidden ${subject === null || fateOf(parts) !== null ? 'before:content-none!' : ''}`}>
      <span aria-hidden className="absolute top-3 left-0">
        {subject === null ? (
          <span className="grid size-8 place-items-center rounded-lg bg-sunken text-muted">
            <Sign size={16} />
          </span>
        ) : (
          <Mark service={subject.service} />
        )}
      </span>
      {subject === null ? null : <span className="font-medium">{subject.service.name}</span>}
      <span className="whitespace-nowrap">
        {subject === null ? null : (
          <span className="ml-1.5 inline-block align-[-1px]">
            <Flag iso2={subject.country.iso2} size="tiny" />
          </span>
        )}
        {opens === null ? null : (
          <ChevronDown
            size={14}
            aria-hidden
            className={`ml-1.5 inline-block text-muted ${opens ? 'rotate-180' : ''}`}
          />
        )}
      </span>
    </span>
  )
}

/** Says on phones, after the date, why the money moved. The amount alone says that a purchase was charged. */
export function EntryReason({ entry: { kind, parts, payment, currency } }: { entry: Entry }) {
  const t = useTranslations('history')
  const fate = kind === 'alone' ? null : fateOf(parts)
  if (payment !== null) {
    return (
      <span className="lg:hidden">
        <Link to={{ search: receiptSearch(payment.transaction_id) }} className={RECEIPT_LOOK}>
          {t('receipt.link')}
        </Link>
      </span>
    )
  }
  if (kind === 'alone') return <span className="text-muted lg:hidden">{t(movedBy(parts[0]?.kind))}</span>
  if (fate === null || fate.word === 'charged') return null
  return (
    <span aria-hidden className="text-muted lg:hidden">
      <FateWords fate={fate} currency={currency} />
    </span>
  )
}

/** The link lies above the row's button, and takes presses beside its words. */
const RECEIPT_LOOK =
  'relative z-1 text-signal underline underline-offset-2 after:absolute after:-inset-x-2 after:-inset-y-3'
