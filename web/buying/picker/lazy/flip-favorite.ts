type Favorable = { id: string | number; is_favorite: boolean }

/**
 * Flips the favourite flag in place, so no row moves. The counter changes in every list, also in one without the item.
 */
export function flipFavorite<Item extends Favorable>(
  items: readonly Item[],
  favorites: number,
  toggled: { id: string | number; isFavorite: boolean },
): { items: Item[]; favorites: number } {
  // The list arrived after the change and already counts it.
  if (items.some((item) => item.id === toggled.id && item.is_favorite !== toggled.isFavorite)) {
    return { items: [...items], favorites }
  }
  return {
    items: items.map((item) => (item.id === toggled.id ? { ...item, is_favorite: !toggled.isFavorite } : item)),
    favorites: Math.max(0, favorites + (toggled.isFavorite ? -1 : 1)),
  }
}
