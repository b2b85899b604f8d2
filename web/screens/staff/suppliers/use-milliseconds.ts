import { useTranslations } from 'use-intl'
import { SECOND } from '#contract/time.ts'

/** Returns a formatter of response times, in ms. Null means slower than every bound of the measurement. */
export function useMilliseconds(): (bound: number | null) => string {
  const t = useTranslations('supply')
  return (bound) => {
    if (bound === null) return t('slower')
    const value =
      bound < SECOND ? t('ms', { value: String(bound) }) : t('seconds', { value: String(Math.round(bound / SECOND)) })
    return t('within', { value })
  }
}
