import { useAppContext } from '#web/app-context.ts'
import { DocLayout } from '#web/layouts/doc.tsx'
import type { LoaderInput } from '#web/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { loadDocument } from '#web/screens/documents/load-document.ts'
import { breadcrumbList } from '#web/structured-data.ts'

export async function loader({ api }: LoaderInput) {
  return loadDocument(api, 'doc')
}

/** /doc */
export function Page() {
  const { page } = useAppContext()
  const text = useScreenData<typeof loader>()
  return (
    <DocLayout>
      <PageHead
        title={text.title}
        description={text.description}
        things={[breadcrumbList(page.publicUrl, [{ title: text.title, path: '/doc' }])]}
      />
      <TextPage text={text} />
    </DocLayout>
  )
}
