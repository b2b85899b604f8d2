import { useLocale, useTranslations } from 'use-intl'
import type { OperatorItem } from '#contract/catalog.ts'
import { type Currency, formatMoney } from '#contract/money.ts'
import { ANY_OPERATOR } from '#web/buying/initial/choice.ts'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { formatCount, formatPercent } from '#web/ui/marks/initial/measured-words.ts'
import { hasNoCodes } from './no-codes.ts'
import { StepNumber } from './step-number.tsx'

type OperatorSelectProps = {
  number: number
  operators: readonly OperatorItem[]
  currency: Currency
  selectedId: string
  onSelect: (operatorId: string) => void
}

export function OperatorSelect({ number, operators, currency, selectedId, onSelect }: OperatorSelectProps) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const chosen = operators.find(({ id }) => id === selectedId)
  const without = operators.filter(hasNoCodes)
  function nameOf({ id, name, price, count }: OperatorItem): string {
    const shown = id === ANY_OPERATOR ? t('anyOperator') : name
    const told = price === null || count === 0 ? t('outOfStockShort') : formatMoney(price, currency, locale)
    return `${shown} — ${told}`
  }
  function figuresOf({ price, count, success_share: share }: OperatorItem): string[] {
    if (price === null || count === 0) return []
    const stock = t('inStock', { count: formatCount(count, locale) })
    return share === null ? [stock] : [formatPercent(share, locale), stock]
  }
  // The chosen operator's figures stand below the field, because a narrow field would cut them off.
  const toOption = (operator: OperatorItem) => (
    <option key={operator.id} value={operator.id}>
      {[nameOf(operator), ...(operator === chosen ? [] : figuresOf(operator))].join(' · ')}
    </option>
  )
  return (
    <div className="flex items-start gap-3 border-t border-hairline px-4 py-2">
      <span className="flex min-h-10 items-center">
        <StepNumber number={number} />
      </span>
      <div className="min-w-0 flex-1">
        <SelectBox label={t('operator')} value={selectedId} onChange={(event) => onSelect(event.target.value)}>
          {operators.filter((operator) => !hasNoCodes(operator)).map(toOption)}
          {without.length === 0 ? null : <optgroup label={t('noCodes')}>{without.map(toOption)}</optgroup>}
        </SelectBox>
        <p className="tabular mt-1 pl-3 text-[13px] text-muted">
          {chosen === undefined ? '' : figuresOf(chosen).join(' · ')}
        </p>
      </div>
    </div>
  )
}
