import { NotFound } from '#web/layouts/not-found.tsx'

export function Page() {
  return <NotFound />
}
