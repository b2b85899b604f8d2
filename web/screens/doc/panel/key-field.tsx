import type { ReactNode } from 'react'
import './panel.css'
import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { useApiKey } from './reader.tsx'

/** Asks for the reader's key. The children are more to know about the examples, and are folded with the rest. */
export function KeyField({ children }: { children?: ReactNode }) {
  const t = useTranslations('examples')
  const [apiKey, setApiKey] = useApiKey()
  return (
    <div className="mt-4 grid gap-x-6 rounded border border-hairline bg-surface px-4 pt-3 pb-1 lg:grid-cols-2">
      <TextField
        type="password"
        label={t('key')}
        placeholder="$RINGPOST_KEY"
        autoComplete="off"
        spellCheck={false}
        value={apiKey}
        onChange={({ target }) => setApiKey(target.value.trim())}
      />
      <div className="text-sm text-muted max-lg:mt-2 lg:pt-1">
        <p>{t('keyText')}</p>
        <Link to="/settings/api" className={`inline-flex min-h-11 items-center ${TEXT_BUTTON_LOOK}`}>
          {t('makeKey')}
        </Link>
        <noscript>
          <p>{t('noScripts')}</p>
        </noscript>
      </div>
      <details className="text-sm text-muted lg:col-span-2">
        <summary className="fold-summary font-medium text-ink">{t('keyHow')}</summary>
        <div className="grid max-w-2xl gap-2 pb-3">
          <p>{t('keyKept')}</p>
          <p>{t.rich('keyVariable', { code })}</p>
          {children}
        </div>
      </details>
    </div>
  )
}

function code(words: ReactNode) {
  return <code className="font-mono text-[13px] whitespace-nowrap text-ink">{words}</code>
}
