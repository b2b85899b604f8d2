import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { OperatorItem } from '#contract/catalog.ts'
import type { Currency } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { Price } from '#web/ui/initial/price.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'

type OperatorLadderProps = {
  operators: readonly OperatorItem[]
  currency: Currency
  selectedId: string
  onSelect: (operatorId: string) => void
  /** The head of the ladder. */
  children?: ReactNode
}

/** Renders the operators as a group of radio buttons, so that the arrow keys reach each of them. */
export function OperatorLadder(props: OperatorLadderProps) {
  return (
    <WithAllTexts place={<div className="min-h-44" />}>
      <Ladder {...props} />
    </WithAllTexts>
  )
}

const COLUMNS =
  'grid grid-cols-[1.25rem_minmax(0,1fr)_5rem_5rem] items-center gap-x-3 px-4 max-[359px]:grid-cols-[1.25rem_minmax(0,1fr)_3rem_4.25rem] max-[359px]:gap-x-2'

function Ladder({ operators, children, ...rest }: OperatorLadderProps) {
  const t = useTranslations('ladder')
  const group = useId()
  const { steps, without } = stepsOf(operators)
  const row = { ...rest, group, best: bestOf(steps) }
  return (
    <div className="flex min-h-0 flex-auto flex-col max-lg:max-h-96">
      {children}
      <div aria-hidden className={`${COLUMNS} border-t border-hairline py-1.5 text-[13px] text-muted`}>
        <span className="col-span-2">{t('operator')}</span>
        <span>{t('share')}</span>
        <span className="text-right">{t('price')}</span>
      </div>
      <div
        role="radiogroup"
        aria-label={t('title')}
        className="min-h-0 flex-auto overflow-y-auto overscroll-contain border-t border-hairline"
      >
        {steps.map((step) => (
          <StepRow key={step.id} step={step} {...row} />
        ))}
        {without.length === 0 ? null : (
          <details open={without.some(({ id }) => id === rest.selectedId) || undefined} className="group/fold">
            <summary className="flex min-h-11 items-center gap-2 px-4 text-[14px] text-muted hover:bg-sunken">
              <ChevronDown size={16} aria-hidden className="group-open/fold:rotate-180" />
              {t('without', { count: without.length })}
            </summary>
            {without.map((step) => (
              <StepRow key={step.id} step={step} {...row} />
            ))}
          </details>
        )}
      </div>
    </div>
  )
}

type StepRowProps = Pick<OperatorLadderProps, 'currency' | 'selectedId' | 'onSelect'> & {
  step: OperatorItem
  best: OperatorItem | undefined
  group: string
}

function StepRow({ step, best, group, currency, selectedId, onSelect }: StepRowProps) {
  const t = useTranslations('ladder')
  const { id, name, price } = step
  return (
    <label
      className={`${COLUMNS} min-h-13 cursor-pointer border-b border-hairline py-1.5 leading-tight hover:bg-sunken has-checked:bg-signal-wash has-checked:shadow-[inset_3px_0_0_var(--signal-bright)] has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal`}
    >
      <input
        type="radio"
        name={group}
        value={id}
        checked={id === selectedId}
        onChange={() => onSelect(id)}
        className="size-4 accent-(--signal-fill) outline-none"
      />
      <span className="min-w-0">
        <span className="block truncate font-medium">{id === ANY_OPERATOR ? t('any') : name}</span>
        <Figures step={step} />
      </span>
      <Share step={step} isBest={step === best} />
      <span className="tabular text-right font-semibold">
        {price === null ? null : <Price amount={price} currency={currency} />}
      </span>
    </label>
  )
}

const SHORT_SECONDS = 90

function Figures({ step }: { step: OperatorItem }) {
  const t = useTranslations('ladder')
  const buy = useTranslations('buy')
  const locale = useLocale()
  const { count, median_seconds: seconds } = step
  const words = [
    ...(seconds === null ? [] : [timeWords(t, seconds)]),
    buy('inStock', { count: formatCount(count, locale) }),
  ]
  return <span className="tabular mt-0.5 block text-[13px] text-muted">{words.join(' · ')}</span>
}

function timeWords(t: ReturnType<typeof useTranslations<'ladder'>>, seconds: number): string {
  return seconds < SHORT_SECONDS
    ? t('seconds', { count: Math.max(1, Math.round(seconds)) })
    : t('minutes', { count: Math.round(seconds / 60) })
}

/** Renders the share of codes as a figure above a bar. The bar of the best operator is green. */
function Share({ step, isBest }: { step: OperatorItem; isBest: boolean }) {
  const t = useTranslations('ladder')
  const locale = useLocale()
  const { success_share: share } = step
  if (share === null) return <span className="text-[13px] text-muted">{t('unmeasured')}</span>
  return (
    <span className="tabular text-[13px]">
      <span className={isBest ? 'font-semibold text-received' : ''}>{formatPercent(share, locale)}</span>
      {isBest ? <span className="sr-only">{`, ${t('best')}`}</span> : null}
      <span aria-hidden className="mt-1 block h-1 rounded-full bg-sunken">
        <span
          className={`block h-full rounded-full ${isBest ? 'bg-received' : 'bg-muted'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </span>
  )
}

/** Returns the operators in stock: `any`, then the cheapest first. `without` are those that delivered no codes. */
function stepsOf(operators: readonly OperatorItem[]): { steps: OperatorItem[]; without: OperatorItem[] } {
  const sold = operators.filter(({ price, count }) => price !== null && count > 0)
  return { steps: sold.filter((one) => !hasNoCodes(one)), without: sold.filter(hasNoCodes) }
}

/** Returns true if an operator was measured but delivered no codes. */
function hasNoCodes({ id, success_share: share }: OperatorItem): boolean {
  return id !== ANY_OPERATOR && share === 0
}

/** Returns the operator with the largest share of successes; undefined if fewer than two were measured. */
function bestOf(steps: readonly OperatorItem[]): OperatorItem | undefined {
  const measured = steps.filter(({ id, success_share: share }) => id !== ANY_OPERATOR && share !== null)
  if (measured.length < 2) return undefined
  return measured.reduce((best, one) => ((one.success_share ?? 0) > (best.success_share ?? 0) ? one : best))
}
