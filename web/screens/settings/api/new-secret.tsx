import { Check, Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/app-context.ts'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/first/copy-text.ts'
import { CodeLine } from './code-line.tsx'

export type MadeSecret = { id: number; name: string; secret: string }

type NewSecretProps = { made: MadeSecret; onSaved: () => void }

/** Shown only now, because the server stores its hash. */
export function NewSecret({ made, onSaved }: NewSecretProps) {
  const t = useTranslations('keys.secret')
  const { page } = useAppContext()
  const heading = useRef<HTMLHeadingElement>(null)
  const { copied, copy } = useCopy(made.secret)
  const command = `curl -H "Authorization: Bearer ${made.secret}" "${page.publicUrl}/stubs/handler_api.php?action=getBalance"`
  // The pressed button has unmounted.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="mb-5 rounded border border-dashed border-edge bg-surface p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold wrap-break-word outline-none">
        {t('title', { name: made.name })}
      </h3>
      <p className="mt-1 text-muted">{t('text')}</p>
      <p className="my-4 font-mono text-lg leading-snug font-semibold break-all">
        <code>{made.secret}</code>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={copy}>
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {t(copied ? 'copied' : 'copy')}
        </Button>
        <Button onClick={onSaved}>{t('saved')}</Button>
      </div>
      <p className="mt-5 mb-2 text-sm text-muted">{t('try')}</p>
      <CodeLine text={command} label={t('copyCommand')} />
    </div>
  )
}
