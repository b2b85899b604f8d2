import { expect, it, test } from 'vitest'
import { inOtherLayout } from './letters.ts'
import { rankByName } from './search-names.ts'
import { mistakesIn } from './typing-mistakes.ts'

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
  ['am', 'am'],
  ['gr', 'tg ig'],
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

const known = [
  { id: 'tg', name: 'Telegram', also: ['телега', 'тг'] },
  { id: 'wa', name: 'WhatsApp', also: ['вотсап', 'ватсап'] },
  { id: 'go', name: 'Google, YouTube, Gmail', also: ['гугл', 'ютуб'] },
  { id: 'vb', name: 'Domovoy', also: ['Домовой'] },
  { id: 'uu', name: 'Wildberries', also: ['вб', 'вайлдберриз'] },
  { id: 'dh', name: 'eBay' },
]
test.each([
  ['телега', 'tg'],
  ['Вотсап', 'wa'],
  ['гугл', 'go'],
  ['ютуб', 'go'],
  ['youtube', 'go'],
  ['telega', 'tg'],
  ['вб', 'uu'],
  ['домовой', 'vb'],
  ['ntktuhfv', 'tg'],
  ['ntktuf', 'tg'],
  ['еудупкфь', 'tg'],
  ['цфыы', ''],
  ['цр', 'wa'],
  ['telegarm', 'tg'],
  ['телеграмм', 'tg'],
  ['watsap', 'wa'],
  ['wildberis', 'uu'],
  ['ntktuhvf', 'tg'],
  ['ebey', 'dh'],
  ['tlg', ''],
  ['telezz', ''],
])('E-4: "%s" finds "%s"', (search, ids) => {
  expect(rankByName(known, search).map(({ id }) => id)).toEqual(ids === '' ? [] : ids.split(' '))
})

test('N-8: two letters find codes and beginnings of words alone, unless none has them', () => {
  const list = [
    { id: 'dr', name: 'ChatGPT' },
    { id: 'tg', name: 'Telegram' },
    { id: 'zz', name: 'Best Tgame' },
  ]
  expect(rankByName(list, 'tg').map(({ id }) => id)).toEqual(['tg', 'zz'])
  expect(rankByName(list, 'gp').map(({ id }) => id)).toEqual(['dr'])
  expect(rankByName(list, 'tgp').map(({ id }) => id)).toEqual(['dr'])
})

test('mistakes are letters left out, added, changed, or two that changed places', () => {
  expect(mistakesIn('telegram', 'telegram messenger', 2)).toBe(0)
  expect(mistakesIn('telgram', 'telegram', 2)).toBe(1)
  expect(mistakesIn('teleggram', 'telegram', 2)).toBe(1)
  expect(mistakesIn('talegram', 'telegram', 2)).toBe(1)
  expect(mistakesIn('teelgram', 'telegram', 2)).toBe(1)
  expect(mistakesIn('tlgrm', 'telegram', 2)).toBeNull()
})

test('the other layout is the same keys', () => {
  expect(inOtherLayout('ntktuhfv')).toBe('телеграм')
  expect(inOtherLayout('gj;fkeqcnf')).toBe('пожалуйста')
  expect(inOtherLayout('еудупкфь 1')).toBe('telegram 1')
})
