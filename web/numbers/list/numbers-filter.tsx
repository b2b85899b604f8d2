import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { MAX_PAGE_SIZE } from '#contract/constants.ts'
import { useApi } from '#web/house/app-context.ts'
import { toggled } from '#web/house/toggled.ts'
import type { NumbersFilter as Filter, NumberRecord } from '#web/live/numbers-cache.ts'
import { countFilters } from '#web/numbers/initial/active-filter.ts'
import { Button } from '#web/ui/button.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { NumberKind } from './number-kind.ts'

type NumbersFilterProps<Item extends NumberRecord> = {
  kind: NumberKind<Item>
  filter: Filter
  onFilter: (filter: Filter) => void
}

/** Offers all services and countries of the user's numbers, which load when the filter opens. */
export function NumbersFilter<Item extends NumberRecord>({ kind, filter, onFilter }: NumbersFilterProps<Item>) {
  const t = useTranslations('activations')
  const api = useApi()
  const wanted: Filter = { per_page: MAX_PAGE_SIZE, ...(filter.ended === undefined ? {} : { ended: filter.ended }) }
  const { data, isError } = useQuery({
    queryKey: ['numbers-choices', kind.name, wanted],
    queryFn: ({ signal }) => kind.loadPage(api, { ...wanted, page: 1 }, signal),
    staleTime: 0,
  })
  if (isError && data === undefined) return <p className="px-3 py-2 text-error">{t('failedTitle')}</p>
  if (data === undefined) {
    return (
      <div className="flex flex-col gap-2 p-3" aria-busy="true">
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    )
  }
  const { services, countries } = choicesOf(data.numbers.data)
  const serviceIds = filter.services_ids ?? []
  const countryIds = filter.countries_ids ?? []
  return (
    <div className="flex max-h-96 flex-col gap-2 overflow-auto">
      <Ticks title={t('services')}>
        {services.map((service) => (
          <Tick
            key={service.id}
            checked={serviceIds.includes(service.id)}
            onChange={() => onFilter({ ...filter, services_ids: toggled(serviceIds, service.id) })}
          >
            <Mark service={service} />
            <span className="truncate">{service.name}</span>
          </Tick>
        ))}
      </Ticks>
      <Ticks title={t('countries')}>
        {countries.map((country) => (
          <Tick
            key={country.id}
            checked={countryIds.includes(country.id)}
            onChange={() => onFilter({ ...filter, countries_ids: toggled(countryIds, country.id) })}
          >
            <Flag iso2={country.iso2} />
            <span className="truncate">{country.name}</span>
          </Tick>
        ))}
      </Ticks>
      {countFilters(filter) === 0 ? null : (
        <Button onClick={() => onFilter({ ...filter, services_ids: [], countries_ids: [] })}>{t('clear')}</Button>
      )}
    </div>
  )
}

function Ticks({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="px-2 pt-1 text-[13px] font-semibold text-muted">{title}</legend>
      {children}
    </fieldset>
  )
}

function Tick({ checked, onChange, children }: { checked: boolean; onChange: () => void; children: ReactNode }) {
  return (
    <label className="flex min-h-10 cursor-pointer items-center gap-3 rounded-sm px-2 hover:bg-sunken">
      <input type="checkbox" checked={checked} onChange={onChange} className="size-4 accent-(--signal-fill)" />
      {children}
    </label>
  )
}

function choicesOf(records: readonly NumberRecord[]) {
  const services = new Map(records.map(({ service }) => [service.id, service]))
  const countries = new Map(records.map(({ country }) => [country.id, country]))
  return { services: [...services.values()], countries: [...countries.values()] }
}
