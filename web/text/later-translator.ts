import { createTranslator } from 'use-intl'
import type { Frame } from '#web/frame.ts'
import { completeTexts } from './complete-texts.tsx'
import type { Messages } from './messages.ts'

/**
 * The words of a namespace that does not come with the page, for code that speaks after a press or an event: fetches them
 * if they are not here yet. Components use `WithAllTexts`.
 */
export async function laterTranslator<Namespace extends keyof Messages>(frame: Frame, namespace: Namespace) {
  await completeTexts(frame)
  const { locale, messages } = frame.language.get()
  return createTranslator({ locale, messages, namespace, timeZone: 'UTC' })
}
