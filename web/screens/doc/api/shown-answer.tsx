import { useTranslations } from 'use-intl'
import type { TriedAnswer } from './send-request.ts'

/** The reply is cut at this length, because a complete list is half a megabyte. */
const SHOWN_CHARACTERS = 20_000

export function ShownAnswer({ answer: { status, ok, retryAfter, text } }: { answer: TriedAnswer }) {
  const t = useTranslations('reference')
  return (
    <div className="rounded border border-hairline bg-sunken p-3">
      <p className={`text-sm font-medium ${ok ? 'text-received' : 'text-error'}`}>
        {ok ? t('done', { status }) : t('refused', { status })}
      </p>
      {retryAfter === null ? null : <p className="text-sm text-muted">{t('retryAfter', { seconds: retryAfter })}</p>}
      <pre className="mt-2 font-mono text-[13px] leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {text.slice(0, SHOWN_CHARACTERS)}
      </pre>
      {text.length > SHOWN_CHARACTERS ? <p className="mt-2 text-sm text-muted">{t('cut')}</p> : null}
    </div>
  )
}
