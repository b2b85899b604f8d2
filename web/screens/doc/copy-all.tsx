import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/initial/copy-text.ts'

type CopyAllProps = {
  load: () => Promise<readonly (readonly string[])[]>
}

export function CopyAll({ load }: CopyAllProps) {
  const t = useTranslations('doc')
  const fail = useFailure()
  const [state, setState] = useState<'ready' | 'pending' | 'copied'>('ready')
  async function copy(): Promise<void> {
    setState('pending')
    try {
      const rows = await load()
      setState((await copyText(rows.map((row) => row.join('\t')).join('\n'))) ? 'copied' : 'ready')
    } catch (error) {
      setState('ready')
      fail(error)
    }
  }
  return (
    <>
      <Button disabled={state === 'pending'} onClick={() => inBackground(copy())}>
        {state === 'copied' ? t('copied') : t('copyAll')}
      </Button>
      {/* The text "copied" is repeated here, because screen readers do not announce a change of a button's name. */}
      <span role="status" className="sr-only">
        {state === 'copied' ? t('copied') : ''}
      </span>
    </>
  )
}
