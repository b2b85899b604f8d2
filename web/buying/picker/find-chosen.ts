/** Returns the item with the id from the first list that has it; null if nothing is chosen or no list has it. */
export function findChosen<Item extends { id: string | number }>(
  id: Item['id'] | null,
  ...lists: (readonly (Item | null)[] | undefined)[]
): Item | null {
  if (id === null) return null
  for (const list of lists) {
    const found = list?.find((item) => item?.id === id)
    if (found) return found
  }
  return null
}

/** Returns the item with the id, loading all items only if the first ones lack it; null if nothing is chosen. */
export async function loadChosen<Item extends { id: string | number }>(
  id: Item['id'] | null,
  first: readonly Item[],
  loadAll: () => Promise<readonly Item[]>,
): Promise<Item | null> {
  return findChosen(id, first) ?? (id === null ? null : findChosen(id, await loadAll()))
}
