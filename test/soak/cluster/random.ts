import { createHash } from 'node:crypto'

export type Random = { below(limit: number): number; pick<Item>(items: readonly Item[]): Item }

/** Numbers that follow from the words: the same seed and round draw the same faults. */
export function randomOf(words: string): Random {
  let drawn = 0
  const below = (limit: number) => {
    drawn += 1
    return createHash('sha256').update(`${words} ${drawn}`).digest().readUInt32BE() % limit
  }
  return {
    below,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to draw from')
      return item
    },
  }
}
