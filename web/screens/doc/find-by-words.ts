import { findBy, type Searchable } from '#contract/formats/search-names.ts'

/** Returns the items that match each word of `search` by some name, in the order of `items`; all without a word. */
export function findByWords<Item>(
  items: readonly Item[],
  search: string,
  searchedOf: (item: Item) => Searchable,
): readonly Item[] {
  let left = items
  for (const word of search.split(/\s+/)) {
    if (word !== '') left = findBy(left, word, searchedOf).map(({ item }) => item)
  }
  const found = new Set(left)
  return items.filter((item) => found.has(item))
}
