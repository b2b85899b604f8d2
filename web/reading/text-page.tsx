import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Contents } from './contents.tsx'
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
  /** The line below the title; by default the day of the last change. */
  byline?: ReactNode
  lead?: ReactNode
  children?: ReactNode
}

export function TextPage({ text, byline, lead, children }: TextPageProps) {
  const t = useTranslations('content')
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_14rem] lg:gap-12">
      <article className="min-w-0">
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
      <aside className="hidden lg:block">
        <div className="sticky top-24">
          <Contents headings={text.headings} />
        </div>
      </aside>
    </div>
  )
}
