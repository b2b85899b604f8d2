import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { inBackground } from '#web/in-background.ts'
import { useFailure } from '#web/session/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'

type CopyAllProps = {
  /** The whole table, not only the page of it that is shown. */
  load: () => Promise<readonly (readonly string[])[]>
}

/** Copies a whole table as lines with tabs, as spreadsheets and programs take it. */
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
      {/* Beside the button: what stands inside one is its name, and no screen reader reads it out when it changes. */}
      <span role="status" className="sr-only">
        {state === 'copied' ? t('copied') : ''}
      </span>
    </>
  )
}
