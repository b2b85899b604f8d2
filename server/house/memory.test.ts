import { expect, test } from 'vitest'
import { Memory, perContext } from './memory.ts'

const real = () => ({ memory: new Memory(), name: 'real' })
const playOf = (ctx: ReturnType<typeof real>) => ({ memory: new Memory(ctx), name: 'play' })

test('what each world has of its own is made once for each', () => {
  const made: string[] = []
  const bookOf = perContext(
    'a book',
    { scope: 'world', nodes: 'own', lost: 'all of it' },
    ({ name }: { name: string }) => {
      made.push(name)
      return { name }
    },
  )
  const ctx = real()
  const play = playOf(ctx)
  expect(bookOf(ctx)).toBe(bookOf(ctx))
  expect(bookOf(play)).toBe(bookOf(play))
  expect(bookOf(play)).not.toBe(bookOf(ctx))
  expect(made).toEqual(['real', 'play'])
})

test('what both worlds share is made of the real one, whoever asks first', () => {
  const bookOf = perContext(
    'a shared book',
    { scope: 'process', nodes: 'own', lost: 'all of it' },
    ({ name }: { name: string }) => ({
      name,
    }),
  )
  const ctx = real()
  expect(bookOf(playOf(ctx))).toEqual({ name: 'real' })
  expect(bookOf(ctx)).toBe(bookOf(playOf(ctx)))
  expect(bookOf({ ...ctx, name: 'a copy' })).toBe(bookOf(ctx))
  expect(bookOf(real())).not.toBe(bookOf(ctx))
  const before = bookOf(ctx)
  bookOf.forget(playOf(ctx))
  expect(bookOf(ctx)).not.toBe(before)
})

test('its sizes are told by name, and what was forgotten is made anew', () => {
  const numbersOf = perContext(
    'some numbers',
    { scope: 'process', nodes: 'own', lost: 'all of them' },
    () => new Set([1, 2, 3]),
  )
  const switchOf = perContext('a switch', { scope: 'process', nodes: 'own', lost: 'nothing' }, () => ({ on: false }))
  const ctx = real()
  const sizes = () => Object.fromEntries([...ctx.memory.sizes()].map(([{ name }, size]) => [name, size]))
  expect(sizes()).toEqual({})
  numbersOf(ctx).add(4)
  switchOf(ctx).on = true
  expect(sizes()).toEqual({ 'some numbers': 4, 'a switch': 1 })
  switchOf.forget(ctx)
  expect(switchOf(ctx)).toEqual({ on: false })
  const other = real()
  numbersOf.share(ctx, other)
  expect(numbersOf(other)).toBe(numbersOf(ctx))
})
