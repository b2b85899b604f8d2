import { Check } from 'lucide-react'
import { LOCALE_COOKIE_SECONDS, type Locale } from '#contract/constants.ts'
import { type AppContext, useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { setCookie } from '#web/session/cookie.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { useStore } from '#web/store.ts'
import { extentOf, loadMessages } from '#web/text/messages.ts'
import { LANGUAGE_NAMES } from './language-names.ts'

export function LanguageChoices({ onChosen }: { onChosen: () => void }) {
  const { page, language } = useAppContext()
  const { locale } = useStore(language)
  const change = useLanguageChange()
  if (page.locales.length < 2) return null
  return page.locales.map((choice) => (
    <button
      key={choice}
      type="button"
      lang={choice}
      aria-current={choice === locale}
      className="flex min-h-10 w-full items-center justify-between gap-3 rounded-sm px-3 text-left hover:bg-sunken"
      onClick={() => {
        onChosen()
        change(choice)
      }}
    >
      {LANGUAGE_NAMES[choice]}
      {choice === locale ? <Check size={16} aria-hidden /> : null}
    </button>
  ))
}

/** The choice of each page that is under way. Texts may load in any order: the latest choice counts. */
const wanted = new WeakMap<AppContext, Locale>()

/** Switches texts first, then reloads all data that the server names. */
function useLanguageChange(): (locale: Locale) => void {
  const app = useAppContext()
  const pages = usePages()
  const fail = useFailure()
  return (locale) => {
    wanted.set(app, locale)
    switchLanguage(app, locale).then((isSwitched) => (isSwitched ? pages.reload() : undefined), fail)
  }
}

/** False when another choice has followed meanwhile. The cookie follows the texts, so that both are of one language. */
async function switchLanguage(app: AppContext, locale: Locale): Promise<boolean> {
  const messages = await loadMessages(locale, extentOf(app.language.get().messages))
  if (wanted.get(app) !== locale) return false
  setCookie('locale', locale, LOCALE_COOKIE_SECONDS)
  app.language.set({ locale, messages })
  // Not awaited: a list that fails to reload shows its own failure.
  inBackground(askAgain(app.queryClient))
  return true
}
