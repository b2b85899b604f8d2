import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { TextButton } from '#web/ui/text-button.tsx'
import { type RepeatSource, useRepeat } from './use-repeat.ts'

export function RepeatButton({ source, className = '' }: { source: RepeatSource; className?: string }) {
  const t = useTranslations('ticket')
  const repeat = useRepeat()
  const fail = useFailure()
  const [pending, setPending] = useState(false)

  async function press(): Promise<void> {
    if (pending) return
    setPending(true)
    try {
      await repeat(source)
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <TextButton className={className} aria-busy={pending} onClick={() => inBackground(press())}>
      {t('action.repeat')}
    </TextButton>
  )
}
