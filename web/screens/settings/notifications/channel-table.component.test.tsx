import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOTIFICATION_CATEGORIES, type NotificationSettings } from '#contract/notifications/notification.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { pressEarly } from '#test/components/press-early.tsx'
import { show } from '#test/components/show.tsx'
import { ChannelTable } from './channel-table.tsx'
import { NOTIFICATION_SETTINGS_KEY } from './use-change-settings.ts'

const all = Object.fromEntries(NOTIFICATION_CATEGORIES.map((category) => [category, ['mail', 'push']]))
const SETTINGS = { choices: all, offered: all, balance_limit: null, price_limit: null } as never as NotificationSettings

function Table() {
  const queryKey = [NOTIFICATION_SETTINGS_KEY]
  const { data } = useQuery({ queryKey, queryFn: () => SETTINGS, initialData: SETTINGS, staleTime: 'static' })
  return <ChannelTable settings={data} />
}

test('two boxes of one category that were changed before hydration are both saved', async () => {
  const { sent } = await show(<Table />, {
    session: MEMBER,
    answers: {
      'PATCH /api/v1/notifications/settings': ({ choices }) => ({
        ...SETTINGS,
        choices: { ...SETTINGS.choices, ...choices },
      }),
    },
  })
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox').slice(0, 2)
  for (const box of boxes) box.checked = false
  await pressEarly(boxes, null)
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.at(-1)?.input).toEqual({ choices: { [NOTIFICATION_CATEGORIES[0]]: [] } })
})
