import { loadOffersPage, OffersPage } from '#web/buying/board/offers-page.tsx'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { useScreenData } from '#web/navigation/use-page.ts'

export const ownsQuery = true

export async function loader(input: LoaderInput) {
  return loadOffersPage(input, 'countries', input.params.country ?? '')
}

export function Page() {
  return <OffersPage kind="countries" data={useScreenData<typeof loader>()} />
}
