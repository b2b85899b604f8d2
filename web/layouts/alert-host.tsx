import { useTranslations } from 'use-intl'
import { AlertList } from './alert-list.tsx'

/**
 * Always in the page: screen readers ignore a live region that is added together with its text. Below stands nothing that
 * stays in its place: the header with the bell, notices under it, the bottom bar and the sticky "Buy" are all left free.
 * A dialog stands at the bottom of a narrow page, with the control that an alert concerns: there alerts stand above it.
 */
export function AlertHost() {
  const t = useTranslations('layout')
  return (
    <section aria-label={t('alerts')} aria-live="polite" className="alerts">
      <AlertList />
    </section>
  )
}
