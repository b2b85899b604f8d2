import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAlerts, useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useLiveEvent } from '#web/live/use-live-event.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { pushAbility, turnPushOn } from './push-browser.ts'

/** The offer of push messages appears once per browser, whatever the user's answer was. */
const KEY = 'push-offered'

/** Renders an offer of push messages after the first code, because their use is then obvious. */
export function PushOffer() {
  const t = useTranslations('notifications.push')
  const api = useApi()
  const alerts = useAlerts()
  const fail = useFailure()
  const [shown, setShown] = useState(false)
  useLiveEvent(({ name }) => {
    if (name === 'NewCode' && mayOffer()) setShown(true)
  })
  if (!shown) return null

  function answer(isWanted: boolean): void {
    localStorage.setItem(KEY, '1')
    setShown(false)
    if (isWanted) inBackground(turnOn())
  }
  async function turnOn(): Promise<void> {
    try {
      alerts.add({ type: 'info', text: (await turnPushOn(api)) ? t('isOn') : t('refused') })
    } catch (error) {
      fail(error)
    }
  }
  return (
    <section
      aria-label={t('title')}
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar)+0.75rem)] z-40 rounded border border-hairline bg-surface p-4 shadow-raised md:inset-x-auto md:bottom-6 md:left-6 md:w-96 print:hidden"
    >
      <p className="font-semibold">{t('offerTitle')}</p>
      <p className="mt-1 text-sm text-muted">{t('offerText')}</p>
      <div className="mt-3 flex gap-2">
        <Button kind="primary" onClick={() => answer(true)}>
          {t('turnOn')}
        </Button>
        <Button kind="quiet" onClick={() => answer(false)}>
          {t('no')}
        </Button>
      </div>
    </section>
  )
}

function mayOffer(): boolean {
  return pushAbility() === 'able' && Notification.permission === 'default' && localStorage.getItem(KEY) === null
}
