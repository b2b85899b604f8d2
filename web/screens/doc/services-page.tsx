import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'
import { DirectoryTable, loadTable } from './directory-table.tsx'

export async function loader({ api, url }: LoaderInput) {
  return loadTable(api, 'services', url.searchParams)
}

export function Page() {
  return <DirectoryTable kind="services" data={useScreenData<typeof loader>()} />
}
