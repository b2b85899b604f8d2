import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useStore } from '#web/house/stores/store.ts'
import { clipboard, useCopy } from '#web/ui/initial/copy-text.ts'
import { CodeDigits } from './code-digits.tsx'

/** Shows a code and, in `children`, the time left. A code copied automatically is marked until the next copy. */
export function CodeFace({ code, children }: { code: string; children: ReactNode }) {
  const t = useTranslations('ticket')
  const { copied: pressed, copy } = useCopy(code)
  const last = useStore(clipboard)
  const copied = pressed || (last?.text === code && last.done)
  const refused = last?.text === code && !last.done
  return (
    <button type="button" onClick={copy} className="group -mx-2 flex flex-1 flex-col rounded-sm px-2 text-left">
      <span className="ticket-value group-hover:underline" data-length={codeLength(code)}>
        <CodeDigits code={code} className="ticket-code" />
      </span>
      <span className="ticket-help flex items-center justify-between gap-3 text-received">
        <span
          className={`inline-flex items-center gap-1.5 ${!copied && refused ? 'copy-refused' : ''}`}
          aria-live="polite"
        >
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
