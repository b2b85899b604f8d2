import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ErrorsReply, ListedError } from '#contract/calls/reference-calls.ts'
import { show } from '#test/components/show.tsx'
import { Page } from './page.tsx'

const error = (code: string, sentence: string): ListedError => ({
  code,
  status: 409,
  sentences: [sentence],
  remedy: 'Try another country.',
  from: 'some',
  calls: [],
})
const data: ErrorsReply['data'] = {
  errors: [error('NO_NUMBERS', 'There are none'), error('NO_BALANCE', 'Top up the balance')],
  protocols: [{ name: 'five-sim', words: [{ word: 'no free phones', remedy: 'Ask later.', codes: ['NO_NUMBERS'] }] }],
}
const found = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)

test.each([
  ['no numbers', ['NO_NUMBERS']],
  ['phones', ['no free phones']],
  ['balanse', ['NO_BALANCE']],
  ['тщ тгьиукы', ['NO_NUMBERS']],
  ['', ['NO_NUMBERS', 'NO_BALANCE', 'no free phones']],
])('the search %j finds %j', async (search, codes) => {
  await show(<Page />, { at: `/doc/errors?${new URLSearchParams({ search })}`, data })
  expect(found()).toEqual(codes)
})

test('a search keeps the other parameters, with scripts and without', async () => {
  const { user, history, container } = await show(<Page />, { at: '/doc/errors?code=go&page=2', data })
  const hidden = [...container.querySelectorAll<HTMLInputElement>('form input[type=hidden]')]
  expect(hidden.map(({ name, value }) => [name, value])).toEqual([['code', 'go']])
  await user.type(screen.getByRole('searchbox'), 'phones')
  await waitFor(() => expect(history.location.search).toBe('?search=phones&code=go'))
  await user.clear(screen.getByRole('searchbox'))
  await waitFor(() => expect(history.location.search).toBe('?code=go'))
})
