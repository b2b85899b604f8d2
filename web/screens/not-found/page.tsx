import { NotFound } from './not-found.tsx'

export function Page() {
  return <NotFound />
}
