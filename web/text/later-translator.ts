import { createTranslator } from 'use-intl'
import { intlTag } from '#contract/settings/languages.ts'
import type { AppContext } from '#web/house/app-context.ts'
import type { Messages } from '#web/locales/messages.ts'
import { completeTexts } from './complete-texts.tsx'

/** Loads texts for code that runs after a press or an event. Components use `WithAllTexts` instead. */
export async function laterTranslator<Namespace extends keyof Messages>(app: AppContext, namespace: Namespace) {
  await completeTexts(app)
  const { locale, messages } = app.language.get()
  return createTranslator({ locale: intlTag(locale), messages, namespace, timeZone: 'UTC' })
}
