import './panel.css'
import type { MouseEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { CODE_LANGUAGE_NAMES, CODE_LANGUAGES, type CodeLanguage } from '#web/screens/doc/examples/request.ts'
import { useReader } from './reader.tsx'

/** Renders the languages as links to the same place of the page, because without scripts the server answers them. */
export function LanguageTabs({ anchor, name }: { anchor: string; name: string }) {
  const t = useTranslations('examples')
  const { language, choose } = useReader()
  const [params] = useSearchParams()
  function press(event: MouseEvent, pressed: CodeLanguage): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    choose(pressed)
  }
  return (
    <ul aria-label={t('languages', { name })} className="flex min-w-0 grow flex-wrap">
      {CODE_LANGUAGES.map((one) => (
        <li key={one}>
          <a
            href={`?${new URLSearchParams({ ...Object.fromEntries(params), code: one })}#${anchor}`}
            aria-current={one === language ? 'true' : undefined}
            className="code-tab"
            onClick={(event) => press(event, one)}
          >
            {CODE_LANGUAGE_NAMES[one]}
          </a>
        </li>
      ))}
    </ul>
  )
}
