import { expect, test } from 'vitest'
import { count } from '#test/builders/activation-rows.ts'
import { AUTH_FAILED, addVkHouse, comeBack, leave, turnedAway } from '#test/builders/social-visit.ts'
import { startTestApp } from '#test/harness/harness.ts'

test.each(['', 'service token of a confidential app'])('VK gets what it documents and no more (%s)', async (token) => {
  await using t = await startTestApp()
  await using house = await addVkHouse(t, token)
  const ids = []
  for (const user_id of ['512', 512]) {
    house.person = { user_id, first_name: 'Анна', last_name: 'Иванова', email: 'anna@vk.test' }
    const away = await leave(t, 'vkontakte')
    const query = await house.visit(away.url)
    const { user } = await comeBack(t, 'vkontakte', { query, cookie: away.cookie })
    expect(user).toMatchObject({ name: 'Анна Иванова', email: '' })
    ids.push(user.id)
  }
  expect(house.complaints).toEqual([])
  expect(new Set(ids).size).toBe(1)
})

test.each(['refuses', 'other-state', 'other-person', 'not-json', 'endless', 'down'] as const)(
  'a VK that is in trouble (%s) signs nobody in',
  async (mood) => {
    await using t = await startTestApp()
    await using house = await addVkHouse(t)
    const { url, cookie } = await leave(t, 'vkontakte')
    const query = await house.visit(url)
    house.mood = mood
    expect(await turnedAway(t, 'vkontakte', { query, cookie })).toEqual(AUTH_FAILED)
    expect(await count(t.ctx, 'users')).toBe(0)
    const log = JSON.stringify(t.log.lines)
    for (const secret of [query.code, query.state, cookie]) expect(log).not.toContain(secret)
  },
)

test('a code of VK is refused with another verifier, state or device, and a second time', async () => {
  await using t = await startTestApp()
  await using house = await addVkHouse(t)
  const { url, cookie } = await leave(t, 'vkontakte')
  const swapped = new URL(url)
  swapped.searchParams.set('code_challenge', 'C'.repeat(43))
  expect(await turnedAway(t, 'vkontakte', { query: await house.visit(swapped.href), cookie })).toEqual(AUTH_FAILED)
  const again = await leave(t, 'vkontakte', { cookie })
  const { device_id: _left, ...noDevice } = await house.visit(again.url)
  expect(await turnedAway(t, 'vkontakte', { query: noDevice, cookie })).toEqual(AUTH_FAILED)
  const third = await leave(t, 'vkontakte', { cookie })
  const query = await house.visit(third.url)
  expect(await comeBack(t, 'vkontakte', { query, cookie })).toMatchObject({ status: true })
  const state = new URL((await leave(t, 'vkontakte', { cookie })).url).searchParams.get('state') ?? ''
  expect(await turnedAway(t, 'vkontakte', { query: { ...query, state }, cookie })).toEqual(AUTH_FAILED)
})
