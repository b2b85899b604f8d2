import { type ReactNode, useEffect } from 'react'
import { type Frame, useFrame } from '#web/frame.ts'
import { useStore } from '#web/store.ts'
import { extentOf, loadMessages } from './messages.ts'

/** Brings the texts that did not come with the page. A change of the language in the meantime brings its own. */
export async function completeTexts({ language }: Frame): Promise<void> {
  const { locale, messages } = language.get()
  if (extentOf(messages) === 'all') return
  const complete = await loadMessages(locale, 'all')
  if (language.get().locale === locale) language.set({ locale, messages: complete })
}

/** Shows its children when all texts are here; until then `place`. */
export function WithAllTexts({ children, place = null }: { children: ReactNode; place?: ReactNode }) {
  const frame = useFrame()
  const { messages } = useStore(frame.language)
  const complete = extentOf(messages) === 'all'
  useEffect(() => {
    if (extentOf(messages) === 'first') completeTexts(frame).catch(reportError)
  }, [frame, messages])
  return complete ? children : place
}
