import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { useOnline } from '#web/live/use-online.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'

export function LiveLine() {
  const state = useStore(useAppContext().live.state)
  const online = useOnline()
  const t = useTranslations('layout')
  return (
    <div role="status" className="sticky top-14 z-30 -order-1 text-center text-sm text-soon lg:top-16">
      {online ? null : <p className={LOOK}>{t('offline')}</p>}
      {online && state === 'offline' ? (
        <WithAllTexts>
          <ConnectionLost />
        </WithAllTexts>
      ) : null}
    </div>
  )
}

const LOOK = 'bg-soon-wash px-4 py-1'

/** Shows that the live connection is lost. No texts need loading, because members load all texts. */
function ConnectionLost() {
  const t = useTranslations('ticket')
  return <p className={LOOK}>{t('connectionLost')}</p>
}
