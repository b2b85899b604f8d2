import { NotFound } from '../../components/not-found.tsx'

export function Page() {
  return <NotFound />
}
