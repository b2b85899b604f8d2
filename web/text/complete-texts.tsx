import { type ReactNode, useEffect } from 'react'
import { type AppContext, useAppContext } from '#web/app-context.ts'
import { useStore } from '#web/store.ts'
import { extentOf, loadMessages } from './messages.ts'

/** Does nothing when the language changes meanwhile: that change loads its own texts. */
export async function completeTexts({ language }: AppContext): Promise<void> {
  const { locale, messages } = language.get()
  if (extentOf(messages) === 'all') return
  const complete = await loadMessages(locale, 'all')
  if (language.get().locale === locale) language.set({ locale, messages: complete })
}

/** Shows `place` until all texts are loaded. */
export function WithAllTexts({ children, place = null }: { children: ReactNode; place?: ReactNode }) {
  const app = useAppContext()
  const { messages } = useStore(app.language)
  const complete = extentOf(messages) === 'all'
  useEffect(() => {
    if (extentOf(messages) === 'first') completeTexts(app).catch(reportError)
  }, [app, messages])
  return complete ? children : place
}
