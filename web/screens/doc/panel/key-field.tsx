import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { TEXT_BUTTON_LOOK } from '#web/ui/text-button.tsx'
import { useApiKey } from './reader.tsx'

export function KeyField() {
  const t = useTranslations('examples')
  const [apiKey, setApiKey] = useApiKey()
  return (
    <div className="mt-5 grid gap-x-6 gap-y-2 rounded border border-hairline bg-surface p-4 lg:grid-cols-2">
      <div>
        <TextField
          type="password"
          label={t('key')}
          placeholder="$RINGPOST_KEY"
          autoComplete="off"
          spellCheck={false}
          value={apiKey}
          onChange={({ target }) => setApiKey(target.value.trim())}
        />
        <Link to="/settings/api" className={`mt-1 inline-flex min-h-10 items-center ${TEXT_BUTTON_LOOK}`}>
          {t('makeKey')}
        </Link>
      </div>
      <div className="grid content-start gap-2 text-sm text-muted">
        <p>{t('keyText')}</p>
        <p>{t.rich('keyVariable', { code })}</p>
        <noscript>
          <p>{t('noScripts')}</p>
        </noscript>
      </div>
    </div>
  )
}

function code(words: ReactNode) {
  return <code className="font-mono text-[13px] whitespace-nowrap text-ink">{words}</code>
}
