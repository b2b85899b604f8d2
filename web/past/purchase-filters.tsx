import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { HISTORY_MODES } from '#contract/past/history.ts'
import { CountryFilter, ServiceFilter } from './choice-filter.tsx'
import type { PurchaseChoice } from './purchase-choice.ts'
import { SelectFilter } from './select-filter.tsx'

type PurchaseFiltersProps<Choice> = {
  choice: Choice
  onChoose: (choice: Choice) => void
  children?: ReactNode
}

export function PurchaseFilters<Choice extends PurchaseChoice>(props: PurchaseFiltersProps<Choice>) {
  const { choice, onChoose, children } = props
  const t = useTranslations('history')
  return (
    <>
      <ServiceFilter chosen={choice.services} onChoose={(services) => onChoose({ ...choice, services })} />
      <CountryFilter chosen={choice.countries} onChoose={(countries) => onChoose({ ...choice, countries })} />
      <SelectFilter
        label={t('mode.label')}
        all={t('mode.all')}
        value={choice.mode}
        options={HISTORY_MODES.map((value) => ({ value, text: t(`mode.${value}`) }))}
        onChoose={(mode) => onChoose({ ...choice, mode })}
      />
      {children}
    </>
  )
}
