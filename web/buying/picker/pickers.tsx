import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { CountryItem, ServiceItem } from '#contract/catalog.ts'
import type { Choice } from '#web/buying/initial/choice.ts'
import type { PanelSeed } from '#web/buying/panel/load-panel.ts'
import { usePanelMode } from '#web/buying/panel/panel-mode.ts'
import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import type { CountrySort, ListPart } from './catalog-inputs.ts'
import { type CatalogList, useCountries, useServices } from './catalog-queries.ts'
import { findChosen } from './find-chosen.ts'
import { Picker } from './picker.tsx'

const COUNTRY_SORTS: readonly CountrySort[] = ['popular', 'price', 'stock', 'success', 'name']

export type PanelLists = {
  services: CatalogList<ServiceItem>
  countries: CatalogList<CountryItem>
  service: ServiceItem | null
  country: CountryItem | null
  sort: CountrySort
  setSort: (sort: CountrySort) => void
  wantAll: (kind: 'service' | 'country') => void
}

export function usePanelLists(choice: Choice, seed: PanelSeed): PanelLists {
  const [parts, setParts] = useState<{ service: ListPart; country: ListPart }>({ service: 'first', country: 'first' })
  const [sort, setSort] = useState<CountrySort>('popular')
  const services = useServices(choice, parts.service, seed)
  const countries = useCountries(choice, { part: parts.country, sort }, seed)
  return {
    services,
    countries,
    service: findChosen(choice.serviceId, services.items, [seed.service]),
    country: findChosen(choice.countryId, countries.items, [seed.country]),
    sort,
    setSort,
    wantAll: (kind) => setParts((before) => (before[kind] === 'all' ? before : { ...before, [kind]: 'all' })),
  }
}

type PickerBaseProps = { lists: PanelLists; choice: Choice; signedIn: boolean }

export function ServicePicker(
  props: PickerBaseProps & { onPick: (service: ServiceItem, byKeyboard: boolean) => void },
) {
  const { lists, choice, signedIn, onPick } = props
  const { ServiceMark } = usePanelMode()
  return (
    <Picker
      kind="service"
      list={lists.services}
      selectedId={choice.serviceId}
      from={choice.countryId === null}
      signedIn={signedIn}
      renderIcon={(service) => <ServiceMark service={service} />}
      onPick={onPick}
      onWantAll={() => lists.wantAll('service')}
    />
  )
}

export function CountryPicker(
  props: PickerBaseProps & { onPick: (country: CountryItem, byKeyboard: boolean) => void },
) {
  const { lists, choice, signedIn, onPick } = props
  return (
    <Picker
      kind="country"
      list={lists.countries}
      selectedId={choice.countryId}
      from={choice.serviceId === null}
      signedIn={signedIn}
      renderIcon={(country) => <Flag iso2={country.iso2} />}
      onPick={onPick}
      onWantAll={() => lists.wantAll('country')}
    >
      <CountryOrder sort={lists.sort} onSort={lists.setSort} />
    </Picker>
  )
}

function CountryOrder({ sort, onSort }: { sort: CountrySort; onSort: (sort: CountrySort) => void }) {
  const t = useTranslations('buy')
  return (
    <SelectBox
      label={t('countryOrder')}
      className="w-32 shrink-0 text-[13px]"
      value={sort}
      onChange={(event) => {
        const wanted = COUNTRY_SORTS.find((known) => known === event.target.value)
        if (wanted !== undefined) onSort(wanted)
      }}
    >
      {COUNTRY_SORTS.map((known) => (
        <option key={known} value={known}>
          {t(`sort.${known}`)}
        </option>
      ))}
    </SelectBox>
  )
}
