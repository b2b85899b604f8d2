import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { readCookie } from '#web/session/cookie.ts'
import { ThemeChoice } from './theme-choice.tsx'

test('SP-7, checklist 2.17: the foot of each page offers light, dark and that of the system', async () => {
  const { user, app } = await show(<ThemeChoice />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Light', 'Dark', 'System'])
  await user.click(screen.getByRole('button', { name: 'System' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'System' }).ariaPressed).toBe('true'))
  expect([app.theme.get(), readCookie('theme')]).toEqual(['system', 'system'])
})
