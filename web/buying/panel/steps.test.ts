import { expect, it } from 'vitest'
import { type OpenedStep, stepLooks } from './steps.ts'

it.each<[string | null, number | null, OpenedStep, string]>([
  [null, null, null, 'open open-when-wide'],
  ['tg', null, null, 'closed open'],
  [null, 0, null, 'open closed'],
  ['tg', 0, null, 'closed open-when-wide'],
  ['tg', 0, 'service', 'open closed'],
  [null, null, 'country', 'closed open'],
  ['tg', null, 'none', 'closed closed'],
  ['tg', 0, 'operator', 'closed closed'],
  ['tg', null, 'operator', 'closed open'],
  [null, null, 'operator', 'open open-when-wide'],
])('service %s, country %s, opened %s: %s', (serviceId, countryId, opened, expected) => {
  const looks = stepLooks({ serviceId, countryId }, opened)
  expect(`${looks.service} ${looks.country}`).toBe(expected)
})

it.each<[string | null, number | null, OpenedStep, 'service' | 'country', string]>([
  ['tg', null, null, 'country', 'closed closed'],
  ['tg', 2, null, 'country', 'closed closed'],
  ['tg', null, 'country', 'country', 'closed open'],
  [null, null, null, 'country', 'open closed'],
  [null, 2, null, 'service', 'closed closed'],
  [null, 2, 'service', 'service', 'open closed'],
  [null, null, null, 'service', 'closed open'],
])(
  'service %s, country %s, opened %s, with a list of each %s beside: %s',
  (serviceId, countryId, opened, beside, expected) => {
    const looks = stepLooks({ serviceId, countryId }, opened, beside)
    expect(`${looks.service} ${looks.country}`).toBe(expected)
  },
)
