import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import spanish from '#web/locales/es/initial/header.json' with { type: 'json' }
import { readCookie } from '#web/session/cookie.ts'
import { LanguageMenu } from './language-menu.tsx'

test('the menu marks drafts, and a draft is chosen as any other language', async () => {
  const { user, app } = await show(<LanguageMenu />, { settings: { locales: ['ru', 'en', 'es', 'zh'] } })
  await user.click(screen.getByRole('button', { name: 'Language: English' }))
  await screen.findByRole('button', { name: 'Русский' })
  expect(screen.getByRole('button', { name: '中文 (草稿)' }).lang).toBe('zh')
  await user.click(screen.getByRole('button', { name: 'Español (borrador)' }))
  const name = spanish.language.replace('{name}', 'Español (borrador)')
  await waitFor(() => expect(screen.getByRole('button', { name }).textContent).toBe('ES'))
  expect([app.language.get().locale, readCookie('locale')]).toEqual(['es', 'es'])
})
