import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Flag } from '#web/ui/marks/initial/flag.tsx'
import { Mark } from '#web/ui/marks/initial/mark.tsx'
import { useCountryNames, useServiceNames } from './catalog-names.ts'
import { ChoiceList } from './choice-list.tsx'

type FilterProps<Id> = {
  chosen: readonly Id[]
  onChoose: (ids: Id[]) => void
  single?: boolean
  words?: { label: string; none: string; gone: string }
}

/** Renders the filter by services. An empty choice means all services. */
export function ServiceFilter({ chosen, onChoose, single = false, words }: FilterProps<string>) {
  const t = useTranslations('history')
  const { data } = useServiceNames({ enabled: single && chosen.length > 0 })
  return (
    <ChoiceButton
      label={words?.label ?? t('services')}
      all={words?.none ?? t('allServices')}
      count={chosen.length}
      standsAlone={words !== undefined}
      name={single ? nameOf(data, chosen[0], words?.gone) : undefined}
    >
      <ServiceChoices label={words?.label ?? t('services')} chosen={chosen} onChoose={onChoose} single={single} />
    </ChoiceButton>
  )
}

/** Renders the filter by countries. An empty choice means all countries. */
export function CountryFilter({ chosen, onChoose, single = false, words }: FilterProps<number>) {
  const t = useTranslations('history')
  const { data } = useCountryNames({ enabled: single && chosen.length > 0 })
  return (
    <ChoiceButton
      label={words?.label ?? t('countries')}
      all={words?.none ?? t('allCountries')}
      count={chosen.length}
      standsAlone={words !== undefined}
      name={single ? nameOf(data, chosen[0], words?.gone) : undefined}
    >
      <CountryChoices label={words?.label ?? t('countries')} chosen={chosen} onChoose={onChoose} single={single} />
    </ChoiceButton>
  )
}

function nameOf<Id>(known: readonly { id: Id; name: string }[] | undefined, id: Id | undefined, gone?: string) {
  return known === undefined ? undefined : (known.find((one) => one.id === id)?.name ?? gone)
}

type ChoicesProps<Id> = Required<Omit<FilterProps<Id>, 'words'>> & { label: string }

/** Lists the services. Their names load only when the menu opens, because the list mounts at that time. */
function ServiceChoices(props: ChoicesProps<string>) {
  const query = useServiceNames({ enabled: true })
  return <ChoiceList {...props} query={query} renderIcon={(service) => <Mark service={service} />} />
}

function CountryChoices(props: ChoicesProps<number>) {
  const query = useCountryNames({ enabled: true })
  return <ChoiceList {...props} query={query} renderIcon={(country) => <Flag iso2={country.iso2} />} />
}

type ChoiceButtonProps = {
  label: string
  all: string
  count: number
  name: string | undefined
  standsAlone: boolean
  children: ReactNode
}

function ChoiceButton({ label, all, count, name, standsAlone, children }: ChoiceButtonProps) {
  const words = count === 0 ? all : (name ?? `${label}: ${count}`)
  return (
    <Disclosure
      label={count === 0 ? (standsAlone ? `${label}: ${all}` : all) : `${label}: ${name ?? count}`}
      button={
        <>
          <span className="min-w-0 flex-1 truncate text-left">{words}</span>
          <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
        </>
      }
      buttonLook="flex h-10 w-full max-sm:h-11 items-center gap-2 rounded border border-edge bg-paper px-3 hover:bg-sunken"
      panelLook="top-full mt-1 left-0 w-full sm:w-80"
      className="min-w-0 max-sm:static"
    >
      {() => children}
    </Disclosure>
  )
}
