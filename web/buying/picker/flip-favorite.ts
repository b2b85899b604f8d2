type Favorable = { id: string | number; is_favorite: boolean }

/**
 * A list after its item was marked or unmarked: the flag flips in its place, nothing moves under the finger. The counter
 * changes by one in every list, also in one that does not hold the item.
 */
export function flipFavorite<Item extends Favorable>(
  items: readonly Item[],
  favorites: number,
  toggled: { id: string | number; isFavorite: boolean },
): { items: Item[]; favorites: number } {
  // The list came after the change was stored, and counts it.
  if (items.some((item) => item.id === toggled.id && item.is_favorite !== toggled.isFavorite)) {
    return { items: [...items], favorites }
  }
  return {
    items: items.map((item) => (item.id === toggled.id ? { ...item, is_favorite: !toggled.isFavorite } : item)),
    favorites: Math.max(0, favorites + (toggled.isFavorite ? -1 : 1)),
  }
}
