import { Check, Copy, Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/initial/copy-text.ts'
import { saveFile } from '#web/ui/save-file.ts'

type RecoveryCodesProps = { codes: readonly string[]; onSaved: () => void }

/** Shows the recovery codes, only once, because the server stores only their hashes. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const t = useTranslations('settings.recoveryCodes')
  const heading = useRef<HTMLHeadingElement>(null)
  const { copied, copy } = useCopy(codes.join('\n'))
  // The focused field has disappeared, so the heading takes the focus.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="rounded border border-dashed border-edge bg-surface p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {t('title')}
      </h3>
      <p className="mt-1 text-muted">{t('text')}</p>
      <ol className="my-4 grid max-w-72 grid-cols-2 gap-x-4 gap-y-1 font-mono text-base font-semibold">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button onClick={copy}>
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {t(copied ? 'copied' : 'copy')}
        </Button>
        <Button onClick={() => saveText('ringpost-recovery-codes.txt', `${t('file')}\n\n${codes.join('\n')}\n`)}>
          <Download size={18} aria-hidden />
          {t('download')}
        </Button>
        <Button kind="primary" onClick={onSaved}>
          {t('saved')}
        </Button>
      </div>
    </div>
  )
}

function saveText(fileName: string, text: string): void {
  saveFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }))
}
