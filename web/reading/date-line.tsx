import { useLocale } from 'use-intl'

export function Day({ date }: { date: string }) {
  const locale = useLocale()
  const text = new Date(`${date}T00:00:00Z`).toLocaleDateString(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return <time dateTime={date}>{text}</time>
}
