import { CircleAlert, Info, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { IconButton } from '../components/icon-button.tsx'
import { useFrame } from '../frame.ts'
import { useStore } from '../store.ts'

/** Where alerts appear: on a phone at the top, away from the thumb's buttons. The live region is in the page from the start: one added with its words would not be read out. */
export function AlertHost() {
  const { alerts } = useFrame()
  const { shown } = useStore(alerts.queue)
  const t = useTranslations('frame')
  return (
    <section
      aria-label={t('alerts')}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 top-16 z-60 grid justify-items-center gap-2 md:inset-x-auto md:top-auto md:right-6 md:bottom-6"
    >
      {shown.map((alert) => {
        const Icon = alert.type === 'error' ? CircleAlert : Info
        return (
          <div
            key={alert.id}
            className="pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded border border-hairline bg-surface py-1.5 pr-1.5 pl-4 shadow-raised"
          >
            <Icon
              size={18}
              aria-hidden
              className={`mt-3 shrink-0 ${alert.type === 'error' ? 'text-error' : 'text-muted'}`}
            />
            <p className="grow self-center py-2 text-[15px] leading-snug">{alert.text}</p>
            <IconButton label={t('dismiss')} onClick={() => alerts.dismiss(alert.id)}>
              <X size={16} aria-hidden />
            </IconButton>
          </div>
        )
      })}
    </section>
  )
}
