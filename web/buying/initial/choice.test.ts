import { expect, it } from 'vitest'
import { ANY_OPERATOR as CONTRACT_ANY_OPERATOR } from '#contract/catalog.ts'
import { DEFAULT_RENT_PERIOD_HOURS } from '#contract/constants.ts'
import { ANY_OPERATOR, type Choice, effectiveOperator, readChoice, stepBack, writeChoice } from './choice.ts'

const nothing: Choice = {
  serviceId: null,
  countryId: null,
  operatorId: ANY_OPERATOR,
  periodHours: DEFAULT_RENT_PERIOD_HOURS,
}

it('knows any operator by the word of the contract', () => {
  expect(ANY_OPERATOR).toBe(CONTRACT_ANY_OPERATOR)
})

it.each<[string, Choice]>([
  ['', nothing],
  ['service=tg', { ...nothing, serviceId: 'tg' }],
  ['country=0', { ...nothing, countryId: 0 }],
  ['service=tg&country=2&operator=swift', { ...nothing, serviceId: 'tg', countryId: 2, operatorId: 'swift' }],
  ['service=full&period=720', { ...nothing, serviceId: 'full', periodHours: 720 }],
  ['period=25', nothing],
  ['period=024', nothing],
  ['service=&country=&operator=', nothing],
  ['country=-1', nothing],
  ['country=2.5', nothing],
  ['country=99999999', nothing],
  ['service=%3Cb%3E', nothing],
])('reads %s', (query, choice) => {
  expect(readChoice(new URLSearchParams(query))).toEqual(choice)
})

it.each<[string, Choice, string]>([
  ['', { ...nothing, serviceId: 'tg', countryId: 0 }, 'service=tg&country=0'],
  ['period=4&ended=1', { ...nothing, periodHours: 168 }, 'period=168&ended=1'],
  ['period=4', nothing, ''],
  ['search=7705&operator=swift', { ...nothing, serviceId: 'tg', countryId: 2 }, 'search=7705&service=tg&country=2'],
  ['service=tg&country=2', { ...nothing, countryId: 2 }, 'country=2'],
])('writes into "%s"', (query, choice, expected) => {
  const params = new URLSearchParams(query)
  expect(writeChoice(params, choice).toString()).toBe(expected)
  expect(params.toString()).toBe(query)
})

it('reads back what it wrote', () => {
  const choice: Choice = { serviceId: 'go', countryId: 187, operatorId: 't-mobile', periodHours: 4 }
  expect(readChoice(writeChoice(new URLSearchParams(), choice))).toEqual(choice)
})

it('steps back from operator to period to country to service to nothing', () => {
  const steps: (Choice | null)[] = [{ serviceId: 'tg', countryId: 0, operatorId: 'swift', periodHours: 72 }]
  for (let step = steps[0]; step; step = stepBack(step) ?? undefined) steps.push(stepBack(step))
  expect(steps.slice(1)).toEqual([
    { ...nothing, serviceId: 'tg', countryId: 0, periodHours: 72 },
    { ...nothing, serviceId: 'tg', countryId: 0 },
    { ...nothing, serviceId: 'tg' },
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
