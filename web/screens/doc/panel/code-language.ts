import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { CODE_LANGUAGES, type CodeLanguage } from '#web/screens/doc/examples/request.ts'

const STORED = 'code-language'

/** The query parameter `code` names the language, so that the tabs are links that work without scripts. */
export function useCodeLanguage(): [CodeLanguage, (language: CodeLanguage) => void] {
  const [params] = useSearchParams()
  const asked = toLanguage(params.get('code'))
  const [chosen, setChosen] = useState<CodeLanguage | null>(null)
  useEffect(() => {
    if (asked === null) setChosen((now) => now ?? toLanguage(localStorage.getItem(STORED)))
  }, [asked])
  const choose = useCallback((language: CodeLanguage): void => {
    setChosen(language)
    localStorage.setItem(STORED, language)
  }, [])
  return [chosen ?? asked ?? 'curl', choose]
}

function toLanguage(name: string | null): CodeLanguage | null {
  return CODE_LANGUAGES.find((language) => language === name) ?? null
}
