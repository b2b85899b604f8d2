import { useTranslations } from 'use-intl'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const AlertList = lazyPart(async () => (await import('./alert-list.tsx')).AlertList)

/** Always in the page: screen readers ignore a live region that is added together with its text. */
export function AlertHost() {
  const t = useTranslations('layout')
  return (
    <section
      aria-label={t('alerts')}
      aria-live="polite"
      className="pointer-events-none print:hidden fixed inset-x-3 top-16 z-60 grid justify-items-center gap-2 md:inset-x-auto md:top-auto md:right-6 md:bottom-6"
    >
      <AlertList />
    </section>
  )
}
