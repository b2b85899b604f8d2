import { expect, inject, test } from 'vitest'
import { member, type Person } from './people.ts'
import { type Walk, walk } from './walk.ts'
import { ask, openWorld } from './world.ts'

test('a walk that goes wrong says how to draw the same again, and is walked again on what it left', async () => {
  await using world = await openWorld()
  let cases = 0
  let isBroken = true
  const one: Walk<Person> = {
    name: 'a changed setting',
    given: member,
    act: (there, person) => ask(there, person, 'PATCH /api/v1/user/settings', { sound_new_sms: false }),
    after: async () => {
      cases += 1
      if (isBroken && cases > 2) throw new Error('planted')
    },
  }
  const failure = await walk(world, one, []).catch(String)
  const again = `SEED=${inject('seed')} node_modules/.bin/node scripts/run-vitest.mjs unit test/bad-days/crash-walk/walk.test.ts`
  expect(failure).toMatch(
    new RegExp(`a changed setting: \\d+ cases went wrong\\n${again}\\n.* at statement \\d+ .*: Error: planted`),
  )
  isBroken = false
  const tried = cases
  cases = 0
  await walk(world, one, [])
  expect(cases).toBe(tried)
})
