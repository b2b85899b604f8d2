import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Entry } from '#contract/past/entries.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { EntryBrief, EntryReason } from './entry-brief.tsx'
import { EntrySteps } from './entry-steps.tsx'
import { EntrySubject } from './entry-subject.tsx'
import { EntryTold } from './entry-told.tsx'
import { isNothing, signed } from './signed.ts'

export function EntryRow({ entry }: { entry: Entry }) {
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  const stepsId = useId()
  const { amount, balance, currency } = entry
  return (
    <>
      <tr className="past-row" data-entry={entry.id} data-open={open}>
        <td data-cell="at" className="max-lg:dotted max-lg:text-[13px]">
          <LocalMoment at={entry.at} className="text-muted" />
          <EntryReason entry={entry} />
        </td>
        <td data-cell="what">
          <span className="max-lg:dotted">
            <EntryTold entry={entry} />
            <EntryBrief entry={entry} opens={hasSteps(entry) ? open : null} />
          </span>
          {hasSteps(entry) ? (
            <StepsButton entry={entry} open={open} controls={stepsId} onPress={() => setOpen(!open)} />
          ) : null}
        </td>
        <td data-cell="subject" className="flex items-center gap-3 max-lg:hidden">
          <EntrySubject entry={entry} />
        </td>
        <td data-cell="amount" className="text-right">
          <span className="tabular font-semibold whitespace-nowrap">{signed(amount, currency, locale)}</span>
        </td>
        <td
          data-cell="balance"
          className={`text-right text-muted max-lg:text-[13px] ${isNothing(amount) ? 'max-lg:hidden' : ''}`}
        >
          <Balance balance={balance} currency={currency} />
        </td>
      </tr>
      {open ? <EntrySteps id={stepsId} entry={entry} /> : null}
    </>
  )
}

function Balance({ balance, currency }: Pick<Entry, 'balance' | 'currency'>) {
  const t = useTranslations('history')
  const locale = useLocale()
  return (
    <>
      <span className="max-lg:hidden">
        <Price amount={balance} currency={currency} />
      </span>
      <span className="tabular lg:hidden">{t('balanceAfter', { amount: formatMoney(balance, currency, locale) })}</span>
    </>
  )
}

/** A purchase opens even with one step, because phones name its country and number only there. */
function hasSteps({ steps_count: count, subject }: Entry): boolean {
  return count > 1 || subject !== null
}

type StepsButtonProps = { entry: Entry; open: boolean; controls: string; onPress: () => void }

/** On a phone the whole row is pressed, and its first line has the chevron. */
function StepsButton({ entry: { steps_count: count }, open, controls, onPress }: StepsButtonProps) {
  const t = useTranslations('history')
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      className={`${STEPS_LOOK} ${count === 1 ? 'lg:hidden' : ''}`}
      onClick={onPress}
    >
      <span className="max-lg:sr-only">{t('steps', { count })}</span>
      <ChevronDown size={14} aria-hidden className={`max-lg:hidden ${open ? 'rotate-180' : ''}`} />
    </button>
  )
}

const STEPS_LOOK =
  'inline-flex items-center gap-1 text-[13px] text-muted hover:text-ink max-lg:absolute max-lg:inset-0 max-lg:focus-visible:-outline-offset-2 lg:-mb-1.5 lg:min-h-10'
