import { CircleAlert, Info, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/**
 * Shows the alerts. The live region is always in the page, because screen readers ignore a region that appears together
 * with its text. Alerts do not cover the header, the notices, the bottom bar or the sticky buy button. On a narrow page
 * a dialog is at the bottom, so alerts are above it, beside the control that caused them.
 */
export function AlertHost() {
  const t = useTranslations('layout')
  return (
    <section aria-label={t('alerts')} aria-live="polite" className="alerts">
      <AlertList />
    </section>
  )
}

function AlertList() {
  const { alerts } = useAppContext()
  const { shown } = useStore(alerts.queue)
  const t = useTranslations('layout')
  return shown.map((alert) => {
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
  })
}
