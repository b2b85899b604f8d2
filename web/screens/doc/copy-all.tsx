import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy-text.ts'
import { inBackground } from '../../in-background.ts'
import { useFailure } from '../../session/failure.ts'

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
