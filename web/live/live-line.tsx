import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { useOnline } from '#web/live/use-online.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'

export function LiveLine() {
  const state = useStore(useAppContext().live.state)
  const online = useOnline()
  const t = useTranslations('layout')
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // Hydration keeps what entry-early.ts showed, although the network may be back by then.
    if (line.current !== null) line.current.hidden = navigator.onLine
  }, [])
  return (
    <div role="status" className="sticky top-14 z-30 -order-1 text-center text-sm text-soon lg:top-16">
      {/* entry-early.ts shows the line of a page that is not hydrated yet. */}
      <p ref={line} className={LOOK} hidden={online} data-offline-line suppressHydrationWarning>
        {t('offline')}
      </p>
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
