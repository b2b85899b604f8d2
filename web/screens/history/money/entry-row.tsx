import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import type { Entry } from '#contract/past/entries.ts'
import { Price } from '#web/ui/initial/price.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { EntrySteps } from './entry-steps.tsx'
import { EntrySubject } from './entry-subject.tsx'
import { EntryTold } from './entry-told.tsx'
import { signed } from './signed.ts'

export function EntryRow({ entry }: { entry: Entry }) {
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  const stepsId = useId()
  const { amount, balance, currency } = entry
  return (
    <>
      <tr className="past-row" data-entry={entry.id} data-open={open}>
        <td data-cell="at" className="max-lg:text-[13px]">
          <LocalMoment at={entry.at} className="text-muted" />
        </td>
        <td data-cell="what">
          <EntryTold entry={entry} />
          {entry.steps_count === 1 ? null : (
            <StepsButton count={entry.steps_count} open={open} controls={stepsId} onPress={() => setOpen(!open)} />
          )}
        </td>
        <td data-cell="subject" className="flex items-center gap-3">
          <EntrySubject entry={entry} />
        </td>
        <td data-cell="amount" className="text-right">
          <span className="tabular font-semibold whitespace-nowrap">{signed(amount, currency, locale)}</span>
        </td>
        <td data-cell="balance" className="text-right text-muted max-lg:text-[13px]">
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

type StepsButtonProps = { count: number; open: boolean; controls: string; onPress: () => void }

function StepsButton({ count, open, controls, onPress }: StepsButtonProps) {
  const t = useTranslations('history')
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      className="-mb-1.5 inline-flex min-h-10 items-center gap-1 text-[13px] text-muted hover:text-ink"
      onClick={onPress}
    >
      {t('steps', { count })}
      <ChevronDown size={14} aria-hidden className={open ? 'rotate-180' : ''} />
    </button>
  )
}
