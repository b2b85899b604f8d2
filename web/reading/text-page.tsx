import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Drawing, type DrawingName } from '#web/ui/drawings/drawing.tsx'
import { Day } from './date-line.tsx'
import { Prose } from './prose.tsx'

type ShownText = {
  title: string
  html: string
  updated: string
  headings: readonly { id: string; text: string; level: number }[]
}
type TextPageProps = {
  text: ShownText
  byline?: ReactNode
  lead?: ReactNode
  /** Stands beside the title on wide screens. */
  drawing?: DrawingName
  /** Stands beside a short text on wide screens and below it elsewhere, in the place of the table of contents. */
  aside?: ReactNode
  children?: ReactNode
}

const COLUMNS = {
  contents: 'lg:grid lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-12',
  aside: 'lg:grid lg:grid-cols-[minmax(0,38rem)_minmax(0,1fr)] lg:gap-16',
}

export function TextPage({ text, byline, lead, drawing, aside, children }: TextPageProps) {
  const t = useTranslations('content')
  return (
    <div className={COLUMNS[aside === undefined ? 'contents' : 'aside']}>
      <article className="min-w-0">
        {drawing === undefined ? null : (
          <Drawing name={drawing} className="float-right -mt-3 ml-6 hidden h-28 text-edge/70 sm:block" />
        )}
        <h1 className="max-w-3xl text-2xl font-semibold tracking-tight text-balance wrap-break-word min-[380px]:text-3xl sm:text-4xl">
          {text.title}
        </h1>
        <p className="mt-3 mb-8 text-sm text-muted">
          {byline ?? (
            <>
              {t('updated')} <Day date={text.updated} />
            </>
          )}
        </p>
        {lead}
        <Prose html={text.html} />
        {children}
      </article>
      <aside className={aside === undefined ? 'hidden lg:block' : 'mt-10 lg:mt-0'}>
        <div className="top-24 lg:sticky">{aside ?? <Contents headings={text.headings} />}</div>
      </aside>
    </div>
  )
}

function Contents({ headings }: { headings: readonly { id: string; text: string; level: number }[] }) {
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
