import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { QualityReply } from '#contract/past/history.ts'
import { show } from '#test/components/show.tsx'
import { Quality } from './quality.tsx'
import { qualityInput, readStatistic } from './statistic-filter.ts'

const measured = { service_id: 'am', country_id: 2, purchases: 40, median_seconds: null, p90_seconds: null }
const page: QualityReply = {
  status: true,
  days: 7,
  minimum_sample: 10,
  data: [
    { ...measured, operator: 'silent', success_share: 0, better: { operator: 'steady', success_share: 0.94 } },
    { ...measured, operator: 'steady', success_share: 0.94, better: null },
  ],
  meta: { last_page: 1, total: 2 },
}

test('an operator without codes leads to the operator that has them', async () => {
  const choice = readStatistic(new URLSearchParams())
  const names = { status: true, count: 0, favorites: 0 } as const
  await show(<Quality choice={choice} seed={{ input: qualityInput(choice), page }} onChoose={() => undefined} />, {
    answers: { 'GET /api/services': { ...names, services: [] }, 'GET /api/countries': { ...names, countries: [] } },
  })
  const hrefsOf = (name: string) =>
    screen
      .getAllByRole('link', { name })
      .map((link) => link.getAttribute('href')?.replace('/?service=am&country=2&', ''))
  expect(hrefsOf('Choose steady (94%)')).toEqual(['operator=steady'])
  // The smallest screens have the operator in the first column, the others in its own.
  expect(hrefsOf('steady')).toEqual(['operator=steady', 'operator=steady'])
  expect(hrefsOf('silent')).toEqual(['operator=silent', 'operator=silent'])
})
