import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/app-context.ts'
import { useOnline } from '#web/session/use-online.ts'
import { useStore } from '#web/store.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'

/**
 * A quiet line under the header: the device has no network, or the live connection is being restored. What is shown may be
 * behind. It stands in the flow between the header and the page, so that it covers nothing.
 */
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

/** Only of members is there a connection, and they have all texts. */
function ConnectionLost() {
  const t = useTranslations('ticket')
  return <p className={LOOK}>{t('connectionLost')}</p>
}
