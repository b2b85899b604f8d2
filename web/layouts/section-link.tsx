import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '#web/house/app-context.ts'
import { NavLink } from '#web/navigation/link.tsx'
import type { NavigationItem } from './navigation.ts'

type SectionLinkProps = {
  item: NavigationItem
  look: (active: boolean) => string
  icon?: ReactNode
  onClick?: () => void
}

export function SectionLink({ item, look, icon, onClick }: SectionLinkProps) {
  const t = useTranslations('header')
  const { count, label } = useSectionCount(item.section)
  return (
    <NavLink to={item.path} end={item.path === '/'} className={({ isActive }) => look(isActive)} onClick={onClick}>
      {icon}
      {t(item.section === 'index' ? 'home' : item.section)}
      {count > 0 ? (
        <>
          <span
            aria-hidden
            className="ml-1.5 min-w-5 rounded-full bg-sunken px-1.5 text-center text-xs leading-5 font-semibold tabular"
          >
            {count}
          </span>
          <span className="sr-only">, {label}</span>
        </>
      ) : null}
    </NavLink>
  )
}

function useSectionCount(section: NavigationItem['section']): { count: number; label: string } {
  const t = useTranslations('header')
  const activations = useUser()?.activations
  if (activations === undefined) return { count: 0, label: '' }
  if (section === 'activations') return { count: activations.count, label: t('activeNumbers', activations) }
  if (section === 'rent')
    return { count: activations.rent_count, label: t('rentedNumbers', { count: activations.rent_count }) }
  return { count: 0, label: '' }
}
