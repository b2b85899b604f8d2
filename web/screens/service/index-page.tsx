import { DirectoryIndex, loadIndex } from '#web/catalogue/directory-index.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'

export async function loader({ api, url }: LoaderInput) {
  return loadIndex(api, 'services', url.searchParams)
}

/** The screen at /service lists the best known services first, or the services of one letter. */
export function Page() {
  return <DirectoryIndex kind="services" data={useScreenData<typeof loader>()} />
}
