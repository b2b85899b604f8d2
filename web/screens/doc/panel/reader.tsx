import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useAppContext } from '#web/house/app-context.ts'
import type { CodeLanguage } from '#web/screens/doc/examples/request.ts'
import { useCodeLanguage } from './code-language.ts'

/** The reader for whom examples are written. */
type Reader = { site: string; language: CodeLanguage; choose: (language: CodeLanguage) => void }
type ApiKey = readonly [apiKey: string, setApiKey: (apiKey: string) => void]

const ReaderContext = createContext<Reader | null>(null)
/** The key has a context of its own, because each typed character changes it. It goes with the page. */
const KeyContext = createContext<ApiKey | null>(null)

export function ReaderProvider({ children }: { children: ReactNode }) {
  const { publicUrl: site } = useAppContext().page
  const apiKey = useState('')
  const [language, choose] = useCodeLanguage()
  const reader = useMemo(() => ({ site, language, choose }), [site, language, choose])
  return (
    <ReaderContext value={reader}>
      <KeyContext value={apiKey}>{children}</KeyContext>
    </ReaderContext>
  )
}

export function useReader(): Reader {
  return inside(useContext(ReaderContext))
}

export function useApiKey(): ApiKey {
  return inside(useContext(KeyContext))
}

function inside<Value>(value: Value | null): Value {
  if (value === null) throw new Error('examples outside of a ReaderProvider')
  return value
}
