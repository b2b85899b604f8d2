import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { SECOND } from '#contract/time.ts'
import { type AppContext, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useStore } from '#web/house/stores/store.ts'
import { extentOf, loadMessages } from '#web/locales/messages.ts'
import { useFailure } from '#web/session/use-failure.ts'

/** Loads all texts. Does nothing if the language changes in the meantime, because that change loads its own texts. */
export async function completeTexts({ language }: AppContext): Promise<void> {
  const { locale, messages } = language.get()
  if (extentOf(messages) === 'all') return
  const complete = await loadMessages(locale, 'all')
  if (language.get().locale === locale) language.set({ locale, messages: complete })
}

const RETRY_MS = 5 * SECOND

const told = new WeakSet<AppContext>()

/** Renders `place` until all texts are loaded. A failure shows one alert, and loading is tried again. */
export function WithAllTexts({ children, place = null }: { children: ReactNode; place?: ReactNode }) {
  const app = useAppContext()
  const { messages } = useStore(app.language)
  const isComplete = extentOf(messages) === 'all'
  const fail = useEffectEvent(useFailure())
  useEffect(() => {
    if (isComplete) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const load = async (): Promise<void> => {
      try {
        await completeTexts(app)
        told.delete(app)
      } catch (error) {
        if (gone) return
        if (!told.has(app)) fail(error)
        told.add(app)
        timer = setTimeout(() => inBackground(load()), RETRY_MS)
      }
    }
    inBackground(load())
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [app, isComplete])
  return isComplete ? children : place
}
