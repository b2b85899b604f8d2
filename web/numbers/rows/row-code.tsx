import { Check } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useStore } from '#web/house/stores/store.ts'
import { CodeDigits } from '#web/numbers/codes/code-digits.tsx'
import { clipboard, useCopy } from '#web/ui/initial/copy-text.ts'

const LONG_CODE = 9

/** Shows a code that a press copies. The confirmation stands in the code's place, so that nothing moves. */
export function RowCode({ code }: { code: string }) {
  const t = useTranslations('ticket')
  const { copied, copy } = useCopy(code)
  const last = useStore(clipboard)
  const refused = !copied && last?.text === code && !last.done
  const told = copied ? t('copied') : refused ? t('copyRefused') : null
  return (
    <button
      type="button"
      className="row-code"
      data-length={code.length >= LONG_CODE ? 'long' : undefined}
      data-told={told === null ? undefined : ''}
      title={t('copyCode')}
      onClick={copy}
    >
      <CodeDigits code={code} className="row-code-figures" />
      <span className="row-code-told" aria-live="polite">
        {told}
        {copied ? <Check size={14} aria-hidden /> : null}
      </span>
    </button>
  )
}
