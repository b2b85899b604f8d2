import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { SettingsLayout } from './settings-layout.tsx'

test('N-19: the sections of the settings are one line, which scrolls on a phone', async () => {
  await show(<SettingsLayout section="account">{null}</SettingsLayout>, { session: MEMBER, at: '/settings' })
  const sections = screen.getByRole('navigation', { name: 'Settings sections' })
  expect(sections.querySelectorAll('a')).toHaveLength(7)
  expect(sections.className).toContain('overflow-x-auto')
  expect(sections.className).not.toContain('grid')
})
