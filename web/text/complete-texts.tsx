import { type ReactNode, useEffect } from 'react'
import { type AppContext, useAppContext } from '#web/app-context.ts'
import { useStore } from '#web/store.ts'
import { extentOf, loadMessages } from './messages.ts'

/** Brings the texts that did not come with the page. A change of the language in the meantime brings its own. */
export async function completeTexts({ language }: AppContext): Promise<void> {
  const { locale, messages } = language.get()
  if (extentOf(messages) === 'all') return
  const complete = await loadMessages(locale, 'all')
  if (language.get().locale === locale) language.set({ locale, messages: complete })
}

/** Shows its children when all texts are here; until then `place`. */
export function WithAllTexts({ children, place = null }: { children: ReactNode; place?: ReactNode }) {
  const app = useAppContext()
  const { messages } = useStore(app.language)
  const complete = extentOf(messages) === 'all'
  useEffect(() => {
    if (extentOf(messages) === 'first') completeTexts(app).catch(reportError)
  }, [app, messages])
  return complete ? children : place
}
