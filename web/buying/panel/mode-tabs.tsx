import { useTranslations } from 'use-intl'
import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import { ANY_OPERATOR, type Choice, writeChoice } from '#web/buying/initial/choice.ts'
import { useSettings } from '#web/house/app-context.ts'
import { Link } from '#web/navigation/link.tsx'
import { openRouteNamed } from '#web/navigation/routes.ts'
import { usePanelMode } from './panel-mode.ts'

const MODES = { activation: 'index', rent: 'rent' } as const

const TAB =
  'inline-flex min-h-12 flex-1 items-center justify-center border-hairline not-first:border-l focus-visible:-outline-offset-3'
const OPEN_TAB = 'inset-shadow-[0_2px_0_var(--signal-bright)] border-b border-b-transparent font-semibold text-ink'

export function ModeTabs({ choice }: { choice: Choice }) {
  const t = useTranslations('buy.modes')
  const { name } = usePanelMode()
  const { closedPages } = useSettings()
  const shared = { ...choice, operatorId: ANY_OPERATOR, periodHours: DEFAULT_RENT_PERIOD_HOURS }
  const query = writeChoice(new URLSearchParams(), shared).toString()
  return (
    <nav className="flex shrink-0 overflow-hidden rounded-t-[9px]" aria-label={t('label')}>
      {(['activation', 'rent'] as const).map((mode) => {
        const path = openRouteNamed(MODES[mode], closedPages)?.path
        if (path === undefined) return null
        return (
          <Link
            key={mode}
            to={{ pathname: path, search: query }}
            className={`${TAB} ${mode === name ? OPEN_TAB : 'border-b bg-sunken font-medium text-muted hover:text-ink'}`}
            aria-current={mode === name ? 'page' : undefined}
          >
            {t(mode)}
          </Link>
        )
      })}
    </nav>
  )
}
