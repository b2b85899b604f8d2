import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '#contract/money.ts'
import { type Entry, MOST_STEPS } from '#contract/past/entries.ts'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'
import { purposeOf } from './purpose.ts'
import { signed } from './signed.ts'

type Step = Entry['steps'][number]

export function EntrySteps({ id, entry }: { id: string; entry: Entry }) {
  const t = useTranslations('history')
  const { steps, steps_count: count, currency } = entry
  return (
    <tr id={id} className="past-steps">
      <td colSpan={5}>
        <SubjectLine entry={entry} />
        <ul className="text-[14px]">
          {steps.map((step) => (
            <StepLine key={step.id} step={step} currency={currency} />
          ))}
        </ul>
        {count > MOST_STEPS ? (
          <p className="pt-2 text-[13px] text-muted">{t('moreSteps', { count: count - MOST_STEPS })}</p>
        ) : null}
      </td>
    </tr>
  )
}

/** Names on phones what the row has no room for. */
function SubjectLine({ entry: { subject, kind } }: { entry: Entry }) {
  const t = useTranslations('history')
  if (subject === null) return null
  return (
    <p className="flex flex-wrap gap-x-3 pb-1 text-[13px] text-muted lg:hidden">
      <span>{subject.country.name}</span>
      <span>{t(purposeOf(kind, subject))}</span>
      <span className="font-mono text-[12px] leading-5">{t('number', { id: String(subject.id) })}</span>
    </p>
  )
}

function StepLine({ step, currency }: { step: Step; currency: Entry['currency'] }) {
  const t = useTranslations('history')
  const locale = useLocale()
  const { kind, purpose, amount, change } = step
  const isCapture = kind === 'capture'
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-hairline py-1.5 not-first:border-t">
      <span className="min-w-0">
        {t(`movement.${isCapture ? 'charged' : kind}`)}
        {purpose === 'extension' || purpose === 'preorder' ? (
          <span className="text-muted">{` · ${t(`purpose.${purpose}`)}`}</span>
        ) : null}
        <LocalMoment at={step.at} className="block text-[13px] text-muted" />
      </span>
      <span className="tabular whitespace-nowrap">
        {isCapture ? (
          <span className="text-muted">{t('ofSetAside', { amount: formatMoney(amount, currency, locale) })}</span>
        ) : (
          signed(change, currency, locale)
        )}
      </span>
    </li>
  )
}
