import { useTranslations } from 'use-intl'
import { useSettings } from '#web/house/app-context.ts'

/** Tells the visitors of a demo that a simulator made up all that is measured. */
export function Simulated() {
  const t = useTranslations('directory')
  const { demo } = useSettings()
  return demo ? <p className="mt-3 text-[13px] text-muted">{t('simulated')}</p> : null
}
