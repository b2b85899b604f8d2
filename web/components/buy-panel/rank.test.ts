import { expect, it } from 'vitest'
import { rankByName } from '#web/components/buy-panel/rank.ts'

const services = [
  { id: 'tg', name: 'Telegram' },
  { id: 'wa', name: 'WhatsApp' },
  { id: 'vk', name: 'ВКонтакте' },
  { id: 'ig', name: 'Instagram' },
  { id: 'oi', name: 'Tinder' },
  { id: 'am', name: 'Amazon' },
  { id: 'tt', name: 'Wargaming (tanks)' },
  { id: 'ya', name: 'Яндекс' },
  { id: 'zz', name: 'Nescafé' },
  { id: 'ss', name: 'Самокат' },
  { id: 'pp', name: 'Ёлки' },
]

it.each([
  ['', 'tg wa vk ig oi am tt ya zz ss pp'],
  ['   ', 'tg wa vk ig oi am tt ya zz ss pp'],
  ['wa', 'wa tt'],
  ['TELE', 'tg'],
  ['am', 'am tg ig tt'],
  ['tanks', 'tt'],
  ['телеграм', 'tg'],
  ['амазон', 'am'],
  ['вконт', 'vk'],
  ['янд', 'ya'],
  ['елки', 'pp'],
  ['nescafe', 'zz'],
  ['(', 'tt'],
  ['nothing of the sort', ''],
])('"%s" finds "%s"', (search, ids) => {
  const found = rankByName(services, search).map(({ id }) => id)
  expect(found.join(' ')).toBe(ids)
})

it('puts a name that begins with the word before one that has it inside, in the given order otherwise', () => {
  const list = [
    { id: 1, name: 'Burkina Faso' },
    { id: 2, name: 'South Korea' },
    { id: 3, name: 'Korea' },
    { id: 4, name: 'Akorea' },
  ]
  expect(rankByName(list, 'korea').map(({ id }) => id)).toEqual([3, 2, 4])
  expect(rankByName(list, '4').map(({ id }) => id)).toEqual([4])
})
