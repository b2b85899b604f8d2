import { afterAll, beforeAll, expect, test } from 'vitest'
import { listStatements, listUnreached } from './statements.ts'
import { type Reached, type Walk, walk } from './walk.ts'
import { openWorld, type World } from './world.ts'

/**
 * Defines one test per crash walk (a fault at each SQL statement of an action). A last test checks that the walks reach
 * every statement. `statements` are the files and folders of `server/` to search. `elsewhere` gives exceptions with
 * reasons.
 */
export function defineWalks(input: {
  walks: readonly Walk[]
  statements: readonly string[]
  elsewhere?: Readonly<Record<string, string>>
  limitMs?: number
}): void {
  let world: World
  const reached: Reached = []
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  for (const one of input.walks) {
    test(`a fault at every statement of ${one.name}`, () => walk(world, one, reached), input.limitMs)
  }

  test('no statement of the code is left out', async () => {
    const unreached = listUnreached(await listStatements(input.statements), reached)
    expect(unreached.toSorted()).toEqual(Object.keys(input.elsewhere ?? {}).toSorted())
  })
}
