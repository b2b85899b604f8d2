import { useTranslations } from 'use-intl'
import { KIBIBYTE, MEBIBYTE } from '#contract/time.ts'

export function FileSize({ bytes }: { bytes: number }) {
  const t = useTranslations('support')
  const text =
    bytes < MEBIBYTE
      ? t('kilobytes', { size: Math.max(1, Math.round(bytes / KIBIBYTE)) })
      : t('megabytes', { size: Math.round((bytes / MEBIBYTE) * 10) / 10 })
  return <span className="tabular text-[13px] whitespace-nowrap text-muted">{text}</span>
}
