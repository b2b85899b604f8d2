import { expect, it } from 'vitest'
import { flipFavorite } from './toggle-favorite.ts'

const items = [
  { id: 'tg', is_favorite: false },
  { id: 'wa', is_favorite: true },
]

it.each([
  [{ id: 'tg', isFavorite: false }, [true, true], 2],
  [{ id: 'wa', isFavorite: true }, [false, false], 0],
  [{ id: 'vk', isFavorite: false }, [false, true], 2],
  [{ id: 'wa', isFavorite: false }, [false, true], 1],
  [{ id: 'tg', isFavorite: true }, [false, true], 1],
])('%j', (toggled, flags, favorites) => {
  const flipped = flipFavorite(items, 1, toggled)
  expect(flipped.items.map((item) => item.is_favorite)).toEqual(flags)
  expect(flipped.items.map((item) => item.id)).toEqual(['tg', 'wa'])
  expect(flipped.favorites).toBe(favorites)
})
