import { screen } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { expect, test } from 'vitest'
import { MEMBER, NOW } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import type { NumbersPage } from '#web/live/numbers-cache.ts'
import { readActiveFilter } from '#web/numbers/initial/active-filter.ts'
import { HomeNumbers } from './home-numbers.tsx'

const NONE: NumbersPage<never> = {
  status: true,
  total_count: 0,
  antifraud: [],
  numbers: { data: [], meta: { last_page: 1, total: 0 } },
}

const PANEL = {
  choice: { serviceId: null, countryId: null, operatorId: 'any', periodHours: 24 },
  services: { status: true, count: 0, favorites: 0, services: [] },
  countries: { status: true, count: 0, favorites: 0, countries: [] },
  service: null,
  country: null,
  price: null,
} as const satisfies ComponentProps<typeof HomeNumbers>['panel']

function Later() {
  const [isThere, setThere] = useState(false)
  const seed = { filter: readActiveFilter(new URLSearchParams(), 'activation'), page: NONE, askedAt: NOW }
  if (isThere)
    return <HomeNumbers seed={seed} preorders={{ status: true, data: [], askedAt: NOW }} panel={PANEL} empty={null} />
  return (
    <button type="button" onClick={() => setThere(true)}>
      The code has come
    </button>
  )
}

test.each([
  ['before the page was asked for: they are as loaded', false, []],
  ['after it: they are asked for again, as events of between are missing', true, ['active-numbers', 'preorders']],
])('numbers whose code comes late, with a channel that opened %s', async (_what, isOpened, again) => {
  const { app, user, sent } = await show(<Later />, {
    session: MEMBER,
    answers: {
      'GET /api/user/active-numbers': NONE,
      'GET /api/v1/preorders': { status: true, data: [] },
    },
  })
  app.live.state.set('connected')
  if (isOpened) app.live.opened()
  await user.click(screen.getByRole('button'))
  await screen.findByRole('heading', { name: 'Your numbers' })
  const asked = sent.map(({ key }) => key.split('/').at(-1))
  expect(asked.filter((name) => name === 'active-numbers' || name === 'preorders').sort()).toEqual(again)
})
