import { Check, Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { useCopy } from '#web/ui/initial/copy-text.ts'

/** Copies the address of an answer. Both words stand in one place, so that nothing moves. */
export function CopyLink({ path }: { path: string }) {
  const t = useTranslations('faq')
  const { copied, copy } = useCopy(useAppContext().page.publicUrl + path)
  const Icon = copied ? Check : Link2
  return (
    <button
      type="button"
      className={`-my-3 -ml-2 inline-flex min-h-11 items-center gap-1.5 rounded px-2 hover:bg-sunken ${copied ? 'text-received' : ''}`}
      onClick={copy}
    >
      <Icon size={16} aria-hidden />
      <span className="inline-grid text-left" aria-live="polite">
        <span className={`col-start-1 row-start-1 ${copied ? 'invisible' : ''}`}>{t('copyLink')}</span>
        {copied ? <span className="col-start-1 row-start-1">{t('linkCopied')}</span> : null}
      </span>
    </button>
  )
}
