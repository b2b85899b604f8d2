import { type ComponentProps, lazy, Suspense } from 'react'
import { readPageData } from '#web/page-data.ts'
import type { HomeNumbers } from './home-numbers.tsx'

const load = () => import('./home-numbers.tsx')

/**
 * Tickets are half of the code of this screen and no visitor needs them. Where they are drawn at once they are here before
 * the first rendering: on the server, and in the browser on the page of a user. After a sign-in they are fetched.
 */
const ready = import.meta.env.SSR || readPageData().session.status === 'authenticated' ? await load() : null

const Later = lazy(async () => ({ default: (await load()).HomeNumbers }))

export function NumbersWhenSignedIn(props: ComponentProps<typeof HomeNumbers>) {
  if (ready !== null) return <ready.HomeNumbers {...props} />
  return (
    <Suspense fallback={null}>
      <Later {...props} />
    </Suspense>
  )
}
