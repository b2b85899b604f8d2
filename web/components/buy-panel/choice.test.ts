import { expect, it } from 'vitest'
import { ANY_OPERATOR as CONTRACT_ANY_OPERATOR } from '#contract/catalog.ts'
import {
  ANY_OPERATOR,
  type Choice,
  effectiveOperator,
  readChoice,
  stepBack,
  writeChoice,
} from '#web/components/buy-panel/choice.ts'

const nothing: Choice = { serviceId: null, countryId: null, operatorId: ANY_OPERATOR }

it('knows any operator by the word of the contract', () => {
  expect(ANY_OPERATOR).toBe(CONTRACT_ANY_OPERATOR)
})

it.each<[string, Choice]>([
  ['', nothing],
  ['service=tg', { ...nothing, serviceId: 'tg' }],
  ['country=0', { ...nothing, countryId: 0 }],
  ['service=tg&country=2&operator=swift', { serviceId: 'tg', countryId: 2, operatorId: 'swift' }],
  ['service=&country=&operator=', nothing],
  ['country=-1', nothing],
  ['country=2.5', nothing],
  ['country=99999999', nothing],
  ['service=%3Cb%3E', nothing],
])('reads %s', (query, choice) => {
  expect(readChoice(new URLSearchParams(query))).toEqual(choice)
})

it.each<[string, Choice, string]>([
  ['', { serviceId: 'tg', countryId: 0, operatorId: 'any' }, 'service=tg&country=0'],
  [
    'search=7705&operator=swift',
    { serviceId: 'tg', countryId: 2, operatorId: 'any' },
    'search=7705&service=tg&country=2',
  ],
  ['service=tg&country=2', { ...nothing, countryId: 2 }, 'country=2'],
])('writes into "%s"', (query, choice, expected) => {
  const params = new URLSearchParams(query)
  expect(writeChoice(params, choice).toString()).toBe(expected)
  expect(params.toString()).toBe(query)
})

it('reads back what it wrote', () => {
  const choice: Choice = { serviceId: 'go', countryId: 187, operatorId: 't-mobile' }
  expect(readChoice(writeChoice(new URLSearchParams(), choice))).toEqual(choice)
})

it('steps back from operator to country to service to nothing', () => {
  const steps: (Choice | null)[] = [{ serviceId: 'tg', countryId: 0, operatorId: 'swift' }]
  for (let step = steps[0]; step; step = stepBack(step) ?? undefined) steps.push(stepBack(step))
  expect(steps.slice(1)).toEqual([
    { serviceId: 'tg', countryId: 0, operatorId: 'any' },
    { serviceId: 'tg', countryId: null, operatorId: 'any' },
    nothing,
    null,
  ])
})

it.each([
  [['any', 'swift'], 'swift', 'swift'],
  [['any', 'steady'], 'swift', 'any'],
  [['steady', 'any'], 'swift', 'steady'],
  [[], 'swift', 'any'],
])('of %j, wanting %s, counts %s', (ids, wanted, expected) => {
  expect(
    effectiveOperator(
      ids.map((id) => ({ id })),
      wanted,
    ),
  ).toBe(expected)
})
