import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Flag } from '#web/ui/marks/first/flag.tsx'
import { Mark } from '#web/ui/marks/first/mark.tsx'
import { useCountryNames, useServiceNames } from './catalog-names.ts'
import { ChoiceList } from './choice-list.tsx'

type FilterProps<Id> = {
  chosen: readonly Id[]
  onChoose: (ids: Id[]) => void
  single?: boolean
}

/** None chosen means all. */
export function ServiceFilter({ chosen, onChoose, single = false }: FilterProps<string>) {
  const t = useTranslations('history')
  const { data } = useServiceNames({ enabled: single && chosen.length > 0 })
  return (
    <ChoiceButton
      label={t('services')}
      all={t('allServices')}
      count={chosen.length}
      name={single ? data?.find(({ id }) => id === chosen[0])?.name : undefined}
    >
      <ServiceChoices label={t('services')} chosen={chosen} onChoose={onChoose} single={single} />
    </ChoiceButton>
  )
}

/** None chosen means all. */
export function CountryFilter({ chosen, onChoose, single = false }: FilterProps<number>) {
  const t = useTranslations('history')
  const { data } = useCountryNames({ enabled: single && chosen.length > 0 })
  return (
    <ChoiceButton
      label={t('countries')}
      all={t('allCountries')}
      count={chosen.length}
      name={single ? data?.find(({ id }) => id === chosen[0])?.name : undefined}
    >
      <CountryChoices label={t('countries')} chosen={chosen} onChoose={onChoose} single={single} />
    </ChoiceButton>
  )
}

type ChoicesProps<Id> = Required<FilterProps<Id>> & { label: string }

/** Mounted on opening, so the whole list loads only then. */
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
  /** The name of the only choice. */
  name: string | undefined
  children: ReactNode
}

/** On a phone the panel is as wide as the button's container. */
function ChoiceButton({ label, all, count, name, children }: ChoiceButtonProps) {
  const words = count === 0 ? all : (name ?? `${label}: ${count}`)
  return (
    <Disclosure
      label={count === 0 ? all : `${label}: ${name ?? count}`}
      button={
        <>
          <span className="min-w-0 flex-1 truncate text-left">{words}</span>
          <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
        </>
      }
      buttonLook="flex h-10 w-full items-center gap-2 rounded border border-edge bg-paper px-3 hover:bg-sunken"
      panelLook="top-full mt-1 left-0 w-full sm:w-80"
      className="min-w-0 max-sm:static"
    >
      {() => children}
    </Disclosure>
  )
}
