import { Check } from 'lucide-react'
import { languageName } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { useLanguageChange } from './use-language-change.ts'

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
      {languageName(choice)}
      {choice === locale ? <Check size={16} aria-hidden /> : null}
    </button>
  ))
}
