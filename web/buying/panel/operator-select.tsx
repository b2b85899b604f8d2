import { useLocale, useTranslations } from 'use-intl'
import type { OperatorItem } from '#contract/catalog.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/first/choice.ts'
import { SelectBox } from '#web/ui/fields/first/select-box.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/first/measured-words.ts'
import { StepNumber } from './step-number.tsx'

type OperatorSelectProps = {
  /** The number of the step. */
  number: number
  operators: readonly OperatorItem[]
  currency: Currency
  selectedId: string
  onSelect: (operatorId: string) => void
}

/** The browser's own menu. */
export function OperatorSelect({ number, operators, currency, selectedId, onSelect }: OperatorSelectProps) {
  const t = useTranslations('buy')
  const locale = useLocale()
  /** The most important words come first, because a narrow field truncates the end. */
  function wordsOf({ id, name, price, count, success_share: share }: OperatorItem): string {
    const words = [id === ANY_OPERATOR ? t('anyOperator') : name]
    if (price === null || count === 0) return [...words, t('outOfStockShort')].join(' — ')
    const figures = [formatMoney(price, currency, locale)]
    if (share !== null) figures.push(formatPercent(share, locale))
    figures.push(t('inStock', { count: formatCount(count, locale) }))
    return [...words, figures.join(' · ')].join(' — ')
  }
  return (
    <div className="flex items-center gap-3 border-t border-hairline px-4 py-2">
      <StepNumber number={number} />
      <SelectBox
        label={t('operator')}
        className="min-w-0 flex-1"
        value={selectedId}
        onChange={(event) => onSelect(event.target.value)}
      >
        {operators.map((operator) => (
          <option key={operator.id} value={operator.id}>
            {wordsOf(operator)}
          </option>
        ))}
      </SelectBox>
    </div>
  )
}
