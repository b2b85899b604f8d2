import { useTranslations } from 'use-intl'
import { DOCUMENTS, type DocumentName } from '#contract/content-names.ts'
import { Breadcrumbs } from '#web/catalogue/breadcrumbs.tsx'
import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useLocation, useScreenData } from '#web/navigation/use-page.ts'
import { loadDocument } from '#web/reading/load-document.ts'
import { TextPage } from '#web/reading/text-page.tsx'

function nameOf(pathname: string): DocumentName {
  return DOCUMENTS.find((name) => pathname === `/${name}`) ?? 'terms-of-use'
}

export async function loader({ api, url }: LoaderInput) {
  return loadDocument(api, nameOf(url.pathname))
}

export function Page() {
  const tDirectory = useTranslations('directory')
  const { page } = useAppContext()
  const { pathname } = useLocation()
  const text = useScreenData<typeof loader>()
  const crumbs = [
    { title: tDirectory('home'), path: '/' },
    { title: text.title, path: pathname },
  ]
  return (
    <>
      <PageHead title={text.title} description={text.description} things={[breadcrumbList(page.publicUrl, crumbs)]} />
      <Breadcrumbs crumbs={crumbs} />
      <TextPage text={text} />
    </>
  )
}
