import { type ComponentProps, lazy, Suspense } from 'react'
import { readPageData } from '#web/house/page-data.ts'
import type { Showcase } from './showcase/showcase.tsx'

const load = () => import('./showcase/showcase.tsx')

/**
 * Members never load the showcase. A visitor's page keeps the server's HTML until the script is there. In a page
 * hydrated earlier, a choice in the panel would replace the server's showcase by an empty place.
 */
const ready = import.meta.env.SSR || readPageData().session.status === 'unauthenticated' ? await load() : null

const Later = lazy(async () => ({ default: (await load()).Showcase }))

export function ShowcaseLater(props: ComponentProps<typeof Showcase>) {
  if (ready !== null) return <ready.Showcase {...props} />
  return (
    <Suspense fallback={<div className="min-h-dvh" />}>
      <Later {...props} />
    </Suspense>
  )
}
