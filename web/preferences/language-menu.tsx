import { useTranslations } from 'use-intl'
import { languageName } from '#contract/settings/languages.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { useStore } from '#web/house/stores/store.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const LanguageChoices = lazyPart(async () => (await import('./language-choices.tsx')).LanguageChoices)

export function LanguageMenu({ className = '' }: { className?: string }) {
  const { page, language } = useAppContext()
  const { locale } = useStore(language)
  const t = useTranslations('header')
  if (page.locales.length < 2) return null
  return (
    <Disclosure
      label={t('language', { name: languageName(locale) })}
      button={locale.toUpperCase()}
      buttonLook="inline-flex h-10 min-w-10 items-center justify-center rounded px-2 text-sm font-medium hover:bg-sunken"
      panelLook="right-0 top-full mt-1 w-44"
      className={className}
    >
      {(close) => <LanguageChoices onChosen={close} />}
    </Disclosure>
  )
}
