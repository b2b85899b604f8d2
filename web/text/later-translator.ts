import { createTranslator } from 'use-intl'
import type { AppContext } from '#web/app-context.ts'
import { completeTexts } from './complete-texts.tsx'
import type { Messages } from './messages.ts'

/**
 * The words of a namespace that does not come with the page, for code that speaks after a press or an event: fetches them
 * if they are not here yet. Components use `WithAllTexts`.
 */
export async function laterTranslator<Namespace extends keyof Messages>(app: AppContext, namespace: Namespace) {
  await completeTexts(app)
  const { locale, messages } = app.language.get()
  return createTranslator({ locale, messages, namespace, timeZone: 'UTC' })
}
