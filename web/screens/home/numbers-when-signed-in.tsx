import { type ComponentProps, lazy, Suspense } from 'react'
import { readPageData } from '#web/house/page-data.ts'
import type { HomeNumbers } from './home-numbers.tsx'

const load = () => import('./home-numbers.tsx')

/** Tickets are half of this screen's script, so visitors never load them. Members get them at once. */
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
