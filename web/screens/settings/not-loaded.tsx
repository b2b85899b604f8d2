import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import { NotLoaded as NotLoadedIn } from '#web/ui/not-loaded.tsx'

export function NotLoaded(props: Omit<ComponentProps<typeof NotLoadedIn>, 'words'>) {
  const t = useTranslations('settings')
  return <NotLoadedIn {...props} words={{ title: t('failedTitle'), text: t('failedText'), retry: t('retry') }} />
}
