import { DirectoryIndex, loadIndex } from '#web/catalogue/directory-index.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'

export async function loader({ api, url }: LoaderInput) {
  return loadIndex(api, 'countries', url.searchParams)
}

export function Page() {
  return <DirectoryIndex kind="countries" data={useScreenData<typeof loader>()} />
}
