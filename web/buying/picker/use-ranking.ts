import { useMemo, useState } from 'react'
import type { Searchable } from '#contract/formats/search-names.ts'
import { inBackground } from '#web/in-background.ts'

/** Comes when a search is entered: most choices are made without one. */
const loadRanking = () => import('#contract/formats/search-names.ts')
type Ranking = Awaited<ReturnType<typeof loadRanking>>

export type Ranked<Item> = {
  /** What `search` finds; all items while searching is not there yet. */
  found: readonly Item[]
  /** Somebody is about to type. */
  begin: () => void
  /** The best that words find, also when they were typed before searching was there. */
  best: (words: string) => Promise<Item | undefined>
}

/** The items of a list that a search finds, best first. */
export function useRanking<Item extends Searchable>(items: readonly Item[], search: string): Ranked<Item> {
  const [ranking, setRanking] = useState<Ranking | null>(null)
  const found = useMemo(() => ranking?.rankByName(items, search) ?? items, [ranking, items, search])
  return {
    found,
    begin: () => inBackground(loadRanking().then(setRanking)),
    best: async (words) => (await loadRanking()).rankByName(items, words)[0],
  }
}
