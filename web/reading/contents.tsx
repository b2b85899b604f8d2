import { useTranslations } from 'use-intl'

/** Short texts have no table of contents. */
export function Contents({ headings }: { headings: readonly { id: string; text: string; level: number }[] }) {
  const t = useTranslations('content')
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 3) return null
  return (
    <nav aria-label={t('onThisPage')} className="text-sm">
      <p className="mb-1 font-medium text-muted">{t('onThisPage')}</p>
      <ul>
        {shown.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block border-l border-hairline py-1.5 pl-3 text-muted hover:border-signal-bright hover:text-ink"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
