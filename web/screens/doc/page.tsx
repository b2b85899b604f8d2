import { useAppContext } from '#web/house/app-context.ts'
import { breadcrumbList } from '#web/house/structured-data.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { loadDocument } from '#web/reading/load-document.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { DocLayout } from './doc-layout.tsx'

export async function loader({ api }: LoaderInput) {
  return loadDocument(api, 'doc')
}

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
      <TextPage text={text} drawing="switchboard" />
    </DocLayout>
  )
}
