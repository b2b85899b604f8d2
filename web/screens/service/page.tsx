import { DirectoryPage } from '#web/catalogue/directory-page.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'

export async function loader({ api, params }: LoaderInput) {
  const slug = params.service ?? ''
  return (await api('GET /api/v1/directory/{kind}/{slug}', { kind: 'services', slug })).data
}

export function Page() {
  return <DirectoryPage kind="services" data={useScreenData<typeof loader>()} />
}
