import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { OperatorItem } from '#contract/catalog.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { Step } from './step.tsx'

const OperatorLadder = lazyPart(
  async () => (await import('./lazy/operator-ladder.tsx')).OperatorLadder,
  <div className="min-h-44" />,
)

type OperatorStepProps = {
  number: 3 | 4
  operators: readonly OperatorItem[]
  currency: Currency
  selectedId: string
  onSelect: (operatorId: string) => void
  /** The buyer's price limit; null without a limit. */
  ceiling: string | null
  open: boolean
  onToggle: () => void
  /** The field for the price limit. */
  children?: ReactNode
}

/** Renders the chosen operator in one line, which opens the ladder of all operators. */
export function OperatorStep({ number, ceiling, open, onToggle, children, ...ladder }: OperatorStepProps) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const { operators, currency, selectedId } = ladder
  const chosen = operators.find(({ id }) => id === selectedId)
  const share = chosen?.success_share ?? null
  return (
    <Step
      number={number}
      title={t('operator')}
      look={open ? 'open' : 'closed'}
      open={open}
      onToggle={onToggle}
      chosen={
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate">
              {chosen === undefined || chosen.id === ANY_OPERATOR ? t('anyOperator') : chosen.name}
            </span>
            {ceiling === null ? null : (
              <span className="tabular block truncate text-[13px] font-normal text-muted">
                {t('atMost', { price: formatMoney(ceiling, currency, locale) })}
              </span>
            )}
          </span>
          {share === null ? null : (
            <span className="tabular shrink-0 text-[13px] font-normal text-muted">{formatPercent(share, locale)}</span>
          )}
        </>
      }
    >
      {open ? <OperatorLadder {...ladder}>{children}</OperatorLadder> : null}
    </Step>
  )
}
