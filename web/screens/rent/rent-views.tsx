import { useTranslations } from 'use-intl'
import { useUser } from '#web/house/app-context.ts'
import { SEGMENTS, segmentLook } from '#web/ui/segments.ts'

export type RentView = 'panel' | 'numbers'

export function RentViews({ view, onView }: { view: RentView; onView: (view: RentView) => void }) {
  const t = useTranslations('rent.views')
  const count = useUser()?.activations.rent_count ?? 0
  return (
    <fieldset className={`${SEGMENTS} mb-3 flex w-full lg:hidden`}>
      <legend className="sr-only">{t('label')}</legend>
      {(['numbers', 'panel'] as const).map((name) => (
        <button
          key={name}
          type="button"
          className={segmentLook(view === name)}
          aria-pressed={view === name}
          onClick={() => onView(name)}
        >
          {t(name)}
          {name === 'numbers' && count > 0 ? <span className="tabular text-muted"> {count}</span> : null}
        </button>
      ))}
    </fieldset>
  )
}
