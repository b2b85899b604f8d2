import { useTranslations } from 'use-intl'
import { useCountryNames, useServiceNames } from './catalog-names.ts'
import type { PurchaseChoice } from './purchase-choice.ts'

export type FilterChip = { key: string; text: string; onRemove: () => void }

/** Returns a chip for each set filter of purchases. Until the names are loaded, a chip shows the id. */
export function usePurchaseChips<Choice extends PurchaseChoice>(
  choice: Choice,
  onChoose: (choice: Choice) => void,
): FilterChip[] {
  const t = useTranslations('history')
  const { mode, services, countries } = choice
  const serviceNames = useServiceNames({ enabled: services.length > 0 }).data
  const countryNames = useCountryNames({ enabled: countries.length > 0 }).data
  return [
    ...(mode === null
      ? []
      : [{ key: 'mode', text: t(`mode.${mode}`), onRemove: () => onChoose({ ...choice, mode: null }) }]),
    ...services.map((id) => ({
      key: `service ${id}`,
      text: serviceNames?.find((service) => service.id === id)?.name ?? id,
      onRemove: () => onChoose({ ...choice, services: services.filter((other) => other !== id) }),
    })),
    ...countries.map((id) => ({
      key: `country ${id}`,
      text: countryNames?.find((country) => country.id === id)?.name ?? String(id),
      onRemove: () => onChoose({ ...choice, countries: countries.filter((other) => other !== id) }),
    })),
  ]
}
