import { useTranslations } from 'use-intl'
import { AlertList } from './alert-list.tsx'

/**
 * The live region is always in the page, because screen readers ignore a region that is added together with its text.
 * Alerts leave the header with the bell, notices, the bottom bar and the sticky buy button free.
 * On a narrow page a dialog stands at the bottom, so alerts stand above it, beside the control that they concern.
 */
export function AlertHost() {
  const t = useTranslations('layout')
  return (
    <section aria-label={t('alerts')} aria-live="polite" className="alerts">
      <AlertList />
    </section>
  )
}
