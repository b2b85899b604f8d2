import { useTranslations } from 'use-intl'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const AlertList = lazyPart(async () => (await import('./alert-list.tsx')).AlertList)

/**
 * Always in the page: screen readers ignore a live region that is added together with its text. Below stands nothing that
 * stays in its place: the header with the bell, notices under it, the bottom bar and the sticky "Buy" are all left free.
 * A dialog stands at the bottom of a narrow page, with the control that an alert concerns: there alerts stand above it.
 */
export function AlertHost() {
  const t = useTranslations('layout')
  return (
    <section
      aria-label={t('alerts')}
      aria-live="polite"
      className="pointer-events-none print:hidden fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] max-lg:[body:has(.buy-panel)_&]:bottom-[calc(var(--bottom-bar)+5.5rem)] max-lg:[body:has(.veil)_&]:top-[calc(env(safe-area-inset-top)+0.75rem)] max-lg:[body:has(.veil)_&]:bottom-auto! z-60 grid justify-items-center gap-2 lg:inset-x-auto lg:right-6 lg:bottom-6"
    >
      <AlertList />
    </section>
  )
}
