import { useTranslations } from 'use-intl'
import { useFrame } from '../frame.ts'
import { useStore } from '../store.ts'

/** A quiet line under the header while the live connection is being restored: what is shown may be behind. Nothing moves for it. */
export function LiveLine() {
  const state = useStore(useFrame().live.state)
  const t = useTranslations('frame')
  return (
    <div role="status" className="absolute inset-x-0 top-full">
      {state === 'offline' ? (
        <p className="bg-soon-wash px-4 py-1 text-center text-sm text-soon">{t('connectionLost')}</p>
      ) : null}
    </div>
  )
}
