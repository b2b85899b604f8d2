import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFrame } from '../frame.ts'

type PageHeadProps = {
  title: string
  description?: string
  /** Pages for one person, or without content of their own, are never indexed. */
  indexable?: boolean
}

/** Title and what search engines read. React moves these elements into the head, on the server and in the browser. */
export function PageHead({ title, description, indexable = true }: PageHeadProps) {
  const { page } = useFrame()
  const { pathname } = useLocation()
  const t = useTranslations('frame')
  const indexed = indexable && page.indexing
  return (
    <>
      <title>{title === 'Ringpost' ? title : `${title} — Ringpost`}</title>
      <meta name="description" content={description ?? t('description')} />
      <meta name="robots" content={indexed ? 'index, follow' : 'noindex, nofollow'} />
      {indexed ? <link rel="canonical" href={page.publicUrl + (pathname === '/' ? '' : pathname)} /> : null}
    </>
  )
}
