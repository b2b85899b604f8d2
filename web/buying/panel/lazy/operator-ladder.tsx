import { useLocale, useTranslations } from 'use-intl'
import type { OperatorItem } from '#contract/catalog.ts'
import type { Currency } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { hasNoCodes } from '#web/buying/panel/no-codes.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'

type OperatorLadderProps = {
  operators: readonly OperatorItem[]
  currency: Currency
  selectedId: string
  onSelect: (operatorId: string) => void
}

export function OperatorLadder(props: OperatorLadderProps) {
  return (
    <WithAllTexts place={<div className="min-h-11" />}>
      <Ladder {...props} />
    </WithAllTexts>
  )
}

function Ladder({ operators, currency, selectedId, onSelect }: OperatorLadderProps) {
  const t = useTranslations('ladder')
  const steps = stepsOf(operators)
  const best = bestOf(steps)
  const count = steps.filter(({ id }) => id !== ANY_OPERATOR).length
  if (count < 2) return <div className="min-h-11" />
  return (
    <details className="px-4 pb-1 text-[14px]">
      <summary className="inline-flex min-h-10 items-center pl-9 text-muted underline underline-offset-4">
        {t('summary', { count })}
      </summary>
      <ul aria-label={t('title')} className="flex max-h-72 flex-col overflow-y-auto rounded border border-hairline">
        {steps.map((step) => (
          <li key={step.id} className="border-b border-hairline last:border-b-0">
            <button
              type="button"
              aria-pressed={step.id === selectedId}
              onClick={() => onSelect(step.id)}
              className="flex min-h-12 w-full items-center gap-3 px-3 py-1.5 text-left hover:bg-sunken focus-visible:bg-sunken aria-pressed:bg-signal-wash aria-pressed:shadow-[inset_3px_0_0_var(--signal-bright)]"
            >
              <StepFace step={step} isBest={step === best} />
              <span className="tabular shrink-0 font-semibold">
                {step.price === null ? null : <Price amount={step.price} currency={currency} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="py-1.5 text-[13px] text-muted">{t('note')}</p>
    </details>
  )
}

const SHORT_SECONDS = 90

function StepFace({ step, isBest }: { step: OperatorItem; isBest: boolean }) {
  const t = useTranslations('ladder')
  const tBuy = useTranslations('buy')
  const locale = useLocale()
  const { id, name, count, success_share: share, median_seconds: seconds } = step
  const time = (median: number) =>
    median < SHORT_SECONDS
      ? t('seconds', { count: Math.max(1, Math.round(median)) })
      : t('minutes', { count: Math.round(median / 60) })
  const words = [
    share === null ? t('unmeasured') : t('share', { percent: formatPercent(share, locale) }),
    ...(seconds === null ? [] : [time(seconds)]),
    tBuy('inStock', { count: formatCount(count, locale) }),
  ]
  return (
    <span className="min-w-0 flex-1 leading-tight">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="truncate font-medium">{id === ANY_OPERATOR ? tBuy('anyOperator') : name}</span>
        {isBest ? <span className="rounded border border-edge px-1.5 text-[12px] text-muted">{t('best')}</span> : null}
      </span>
      <span className="tabular mt-0.5 block text-[13px] text-muted">{words.join(' · ')}</span>
    </span>
  )
}

/** Returns the operators in stock: `any`, then the cheapest first. Operators that delivered no codes come last. */
function stepsOf(operators: readonly OperatorItem[]): OperatorItem[] {
  const sold = operators.filter(({ price, count }) => price !== null && count > 0)
  return [...sold.filter((one) => !hasNoCodes(one)), ...sold.filter(hasNoCodes)]
}

/** Returns the operator with the largest share of successes; undefined if fewer than two were measured. */
function bestOf(steps: readonly OperatorItem[]): OperatorItem | undefined {
  const measured = steps.filter(({ id, success_share: share }) => id !== ANY_OPERATOR && share !== null)
  if (measured.length < 2) return undefined
  return measured.reduce((best, one) => ((one.success_share ?? 0) > (best.success_share ?? 0) ? one : best))
}
