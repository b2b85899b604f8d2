import { PageHead } from '../../components/page-head.tsx'
import { TextPage } from '../../components/prose/text-page.tsx'
import { breadcrumbList } from '../../components/structured-data.ts'
import { useFrame } from '../../frame.ts'
import { DocLayout } from '../../layouts/doc.tsx'
import { type LoaderInput, useScreenData } from '../../loader-input.ts'
import { loadDocument } from '../documents/load-document.ts'

export async function loader({ api }: LoaderInput) {
  return loadDocument(api, 'doc')
}

/** /doc: where the documentation begins. */
export function Page() {
  const { page } = useFrame()
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
