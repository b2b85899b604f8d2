import { Check, Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/first/copy-text.ts'

export type MadeWebhook = { id: number; label: string; secret: string }

/** Shown only now: a program verifies signatures by it. */
export function WebhookSecret({ made, onSaved }: { made: MadeWebhook; onSaved: () => void }) {
  const t = useTranslations('webhooks.secret')
  const heading = useRef<HTMLHeadingElement>(null)
  const { copied, copy } = useCopy(made.secret)
  // The pressed button has unmounted.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="mb-5 rounded border border-dashed border-edge bg-surface p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold wrap-break-word outline-none">
        {t('title', { label: made.label })}
      </h3>
      <p className="mt-1 text-muted">{t('text')}</p>
      <p className="my-4 font-mono leading-snug font-semibold break-all">
        <code>{made.secret}</code>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={copy}>
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {t(copied ? 'copied' : 'copy')}
        </Button>
        <Button onClick={onSaved}>{t('saved')}</Button>
      </div>
    </div>
  )
}
