import { useMemo, useState } from 'react'
import type { Searchable } from '#contract/formats/search-names.ts'
import { inBackground } from '#web/house/in-background.ts'

/** The ranking code loads with the first search, because most choices are made without a search. */
const loadRanking = () => import('#contract/formats/search-names.ts')
type Ranking = Awaited<ReturnType<typeof loadRanking>>

export type Ranked<Item> = {
  /** `found` has all items until the ranking code has loaded. */
  found: readonly Item[]
  begin: () => void
  /** Returns the best match, also for text typed before the ranking code has loaded. */
  best: (words: string) => Promise<Item | undefined>
}

export function useRanking<Item extends Searchable>(items: readonly Item[], search: string): Ranked<Item> {
  const [ranking, setRanking] = useState<Ranking | null>(null)
  const found = useMemo(() => ranking?.rankByName(items, search) ?? items, [ranking, items, search])
  return {
    found,
    begin: () => inBackground(loadRanking().then(setRanking)),
    best: async (words) => (await loadRanking()).rankByName(items, words)[0],
  }
}
