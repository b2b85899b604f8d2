import { CircleAlert, Info, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSettings } from '#web/house/app-context.ts'
import { createStore, useStore } from '#web/house/stores/store.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

const KEY = 'dismissed-notices'
/** The maximum number of stored ids of closed notices. The oldest ids are dropped, because their notices have ended. */
const MOST_KEPT = 50
const dismissedNotices = createStore<readonly string[]>(read())

export function NoticeBanner() {
  const t = useTranslations('layout')
  const { alerts } = useSettings()
  const dismissed = useStore(dismissedNotices)
  const shown = alerts.filter(({ id }) => !dismissed.includes(id))
  if (shown.length === 0) return null
  return (
    <aside aria-label={t('notices')} className="notice-strips border-b border-hairline bg-sunken print:hidden">
      {shown.map(({ id, type, text }) => {
        const Icon = type === 'error' ? CircleAlert : Info
        return (
          <div key={id} className="mx-auto flex max-w-7xl items-start gap-2.5 px-3 py-1 sm:px-5">
            <Icon
              size={18}
              aria-hidden
              className={`mt-[11px] shrink-0 ${type === 'error' ? 'text-error' : 'text-muted'}`}
            />
            <p className="min-w-0 grow py-2 text-[15px] leading-snug wrap-anywhere">{text}</p>
            <IconButton label={t('dismiss')} onClick={() => dismissNotice(id)}>
              <X size={16} aria-hidden />
            </IconButton>
          </div>
        )
      })}
    </aside>
  )
}

function dismissNotice(id: string): void {
  const kept = [...dismissedNotices.get(), id].slice(-MOST_KEPT)
  dismissedNotices.set(kept)
  localStorage.setItem(KEY, JSON.stringify(kept))
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
