import { CHOICE_COOKIE_SECONDS } from '#contract/constants.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { User } from '#contract/user.ts'
import { type AppContext, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { extentOf, loadMessages } from '#web/locales/messages.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { setCookie } from '#web/session/cookie.ts'
import { refetch } from '#web/session/refetch.ts'
import { useFailure } from '#web/session/use-failure.ts'

/** The language to which each page is switching. Texts may load in any order, and the latest choice wins. */
const wanted = new WeakMap<AppContext, InterfaceLocale>()

/** Switches the texts, then refetches names from the server. Mails to a member follow, in English for a draft. */
export function useLanguageChange(): (locale: InterfaceLocale) => void {
  const app = useAppContext()
  const pages = usePages()
  const fail = useFailure()
  async function change(locale: InterfaceLocale): Promise<void> {
    if (!(await switchLanguage(app, locale))) return
    await Promise.all([pages.reload(), storeLanguage(app, locale)])
  }
  return (locale) => {
    wanted.set(app, locale)
    change(locale).catch(fail)
  }
}

/** Returns false if another language was chosen since. The cookie is set after the texts, so that both agree. */
async function switchLanguage(app: AppContext, locale: InterfaceLocale): Promise<boolean> {
  const messages = await loadMessages(locale, extentOf(app.language.get().messages))
  if (wanted.get(app) !== locale) return false
  setCookie('locale', locale, CHOICE_COOKIE_SECONDS)
  app.language.set({ locale, messages })
  // The refetch is not awaited, because a list that fails to reload shows its own failure.
  inBackground(refetch(app.queryClient))
  return true
}

/** The pending save of each page. Saves run one after another, so that the last choice stays. */
const saving = new WeakMap<AppContext, Promise<unknown>>()

async function storeLanguage(app: AppContext, locale: InterfaceLocale): Promise<void> {
  if (app.session.get().status === 'unauthenticated') return
  const save = () => app.api('PATCH /api/v1/user/settings', { locale })
  const saved = (saving.get(app) ?? Promise.resolve()).then(save, save)
  saving.set(app, saved)
  await saved
  app.queryClient.setQueryData<User>(['user'], (user) => user && { ...user, settings: { ...user.settings, locale } })
}
