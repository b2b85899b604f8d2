import { type LoaderInput, useScreenData } from '#web/loader-input.ts'
import { DirectoryTable, loadTable } from './directory-table.tsx'

export async function loader({ api, url }: LoaderInput) {
  return loadTable(api, 'services', url.searchParams)
}

/** /doc/services: the codes of all services. */
export function Page() {
  return <DirectoryTable kind="services" data={useScreenData<typeof loader>()} />
}
