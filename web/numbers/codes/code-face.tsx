import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useStore } from '#web/house/stores/store.ts'
import { clipboard, useCopy } from '#web/ui/initial/copy-text.ts'

/** Shows a code and, in `children`, the time left. A code copied automatically is marked until the next copy. */
export function CodeFace({ code, children }: { code: string; children: ReactNode }) {
  const t = useTranslations('ticket')
  const { copied: pressed, copy } = useCopy(code)
  const last = useStore(clipboard)
  const copied = pressed || (last?.text === code && last.done)
  const refused = last?.text === code && !last.done
  return (
    <button
      type="button"
      onClick={copy}
      className="group -mx-2 -my-1 flex flex-col justify-center gap-1 rounded-sm px-2 py-1 text-left"
    >
      <span
        className="ticket-code-figures font-mono font-bold decoration-2 underline-offset-6 group-hover:underline"
        data-length={codeLength(code)}
      >
        {code}
      </span>
      <span className="flex items-center justify-between gap-3 text-[13px] text-received">
        <span className={`inline-flex items-center gap-1.5 ${refused ? 'animate-pulse' : ''}`} aria-live="polite">
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          {copied ? t('codeCopied') : refused ? t('copyRefused') : t('copyCode')}
        </span>
        {children}
      </span>
    </button>
  )
}

function codeLength(code: string): 'short' | 'long' | 'very-long' {
  if (code.length <= 7) return 'short'
  return code.length <= 10 ? 'long' : 'very-long'
}
