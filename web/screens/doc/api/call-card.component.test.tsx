import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ReferenceCall } from '#contract/calls/reference-calls.ts'
import { show } from '#test/components/show.tsx'
import { KeyField } from '#web/screens/doc/panel/key-field.tsx'
import { ReaderProvider } from '#web/screens/doc/panel/reader.tsx'
import { CallCard } from './call-card.tsx'

/** Renders the card of a call and counts how often its texts and its code panel are drawn. */
async function showCard() {
  const drawn = { texts: 0, panel: 0 }
  const call: ReferenceCall = {
    id: 'activations_getById',
    summary: 'Read a number',
    method: 'GET',
    path: '/api/v1/activations/{id}',
    scope: 'read',
    once: false,
    fields: [{ name: 'id', in: 'path', required: true, type: 'integer', about: '' }],
    example: { id: 1 },
    status: 200,
    reply: '{}',
    get errors() {
      drawn.texts += 1
      return ['NOT_FOUND']
    },
    get answer() {
      drawn.panel += 1
      return '{ "status": true }'
    },
  }
  const shown = await show(
    <ReaderProvider>
      <KeyField />
      <CallCard call={call} hidden={false} />
    </ReaderProvider>,
  )
  return { ...shown, drawn }
}

test('a typed character of the key draws the request anew, and neither fields nor links', async () => {
  const { user, drawn } = await showCard()
  const before = { ...drawn }
  await user.type(screen.getByLabelText('Your API key'), 'secret')
  screen.getByText(/Authorization: Bearer secret/)
  expect(drawn).toEqual(before)
})

test('without scripts the tab of a language leads into the folded call, which the browser then opens', async () => {
  const { container } = await showCard()
  const href = screen.getByRole('link', { name: 'Go', hidden: true }).getAttribute('href') ?? ''
  const inside = container.querySelector('details[id] > :not(summary)')
  expect(inside?.contains(document.getElementById(new URL(href, location.href).hash.slice(1)))).toBe(true)
})

test('links that stand on the page by the hundred have one class each', async () => {
  await showCard()
  for (const name of ['NOT_FOUND', 'Python']) {
    expect(screen.getByRole('link', { name, hidden: true }).classList).toHaveLength(1)
  }
})
