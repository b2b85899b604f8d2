import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { SupportFile } from '#contract/support/support.ts'
import { MEMBER } from '#test/components/app-context.ts'
import { show } from '#test/components/show.tsx'
import { MessagePicture } from './message-picture.tsx'

const FILE: SupportFile = { id: 7, name: 'screen.png', type: 'image/png', bytes: 4, width: 40, height: 20 }

test('a picture is a link once it has come; before, it has its name and place', async () => {
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => answer.promise)
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:here')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  await show(<MessagePicture file={FILE} />, { session: MEMBER })
  const place = screen.getByRole('img', { name: 'screen.png' })
  expect(place.style.width).toBe('40px')
  expect(screen.queryByRole('link')).toBeNull()
  answer.resolve(new Response('four', { headers: { 'content-type': 'image/png' } }))
  const link = await screen.findByRole('link', { name: 'Open screen.png' })
  expect(link.getAttribute('href')).toBe('blob:here')
  expect(link.style.width).toBe('40px')
})
