import { useTranslations } from 'use-intl'
import type { ContentSearchReply } from '#contract/content.ts'
import { Link } from '#web/navigation/link.tsx'

export function FoundTexts({ texts }: { texts: ContentSearchReply['data'] }) {
  const t = useTranslations('content')
  return (
    <ol className="max-w-2xl space-y-6">
      {texts.map(({ path, kind, title, excerpt }) => (
        <li key={path}>
          <p className="text-sm text-muted">{t(`kind.${kind}`)}</p>
          <h2 className="text-lg font-semibold tracking-tight">
            <Link to={path} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </h2>
          <p className="mt-1 text-[15px] wrap-anywhere">
            <Excerpt text={excerpt} />
          </p>
        </li>
      ))}
    </ol>
  )
}

/** Renders an excerpt. The server encloses each found word in two control characters that no text contains. */
function Excerpt({ text }: { text: string }) {
  let place = 0
  return text.split('\u0001').map((part, index) => {
    const [word = '', rest] = part.split('\u0002')
    place += part.length + 1
    return index === 0 || rest === undefined ? (
      <span key={place}>{part}</span>
    ) : (
      <span key={place}>
        <mark className="rounded-sm bg-signal-wash px-0.5 text-ink">{word}</mark>
        {rest}
      </span>
    )
  })
}
