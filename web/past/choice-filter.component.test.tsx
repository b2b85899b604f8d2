import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { MEMBER } from '#test/components/app-context.ts'
import { type Answers, refusal } from '#test/components/fake-api.ts'
import { show } from '#test/components/show.tsx'
import { MAX_CHOSEN } from './address.ts'
import { ServiceFilter } from './choice-filter.tsx'

const measured = { price: null, count: 0, success_share: null, median_seconds: null }
const service = (id: string, name: string) => ({ ...measured, id, name, also: [], is_favorite: false })
const SERVICES = [service('tg', 'Telegram'), service('vi', 'Viber'), service('wa', 'WhatsApp')]
const reply = (services = SERVICES) => ({ status: true, count: services.length, favorites: 0, services }) as const

async function showFilter(options: { answers?: Answers; first?: string[]; single?: boolean } = {}) {
  const { answers = { 'GET /api/services': reply() }, first = [], single = false } = options
  const choices: string[][] = []
  function Filter() {
    const [chosen, setChosen] = useState(first)
    const choose = (ids: string[]) => {
      choices.push(ids)
      setChosen(ids)
    }
    return <ServiceFilter chosen={chosen} onChoose={choose} single={single} />
  }
  const shown = await show(<Filter />, { session: MEMBER, answers })
  const open = () => shown.user.click(screen.getByRole('button', { name: /ervices/u }))
  return { ...shown, choices, open }
}
const rows = () => within(screen.getByRole('group')).getAllByRole('checkbox')
const names = () => rows().map((row) => row.closest('label')?.textContent)

test('the list is loaded once, when it is first opened', async () => {
  const { sent, open } = await showFilter()
  expect(sent).toEqual([])
  await open()
  await screen.findByRole('checkbox', { name: 'Viber' })
  await open()
  await open()
  await screen.findByRole('checkbox', { name: 'Viber' })
  expect(sent.map(({ key }) => key)).toEqual(['GET /api/services'])
})

test('several can be chosen; a row keeps its place under the pointer, and stands first at the next opening', async () => {
  const { user, choices, open } = await showFilter()
  await open()
  await user.click(await screen.findByRole('checkbox', { name: 'WhatsApp' }))
  expect(names()).toEqual(['Telegram', 'Viber', 'WhatsApp'])
  await user.click(screen.getByRole('checkbox', { name: 'Viber' }))
  expect(choices).toEqual([['wa'], ['wa', 'vi']])
  screen.getByRole('button', { name: 'Services: 2' })
  await open()
  await open()
  await waitFor(() => expect(names()).toEqual(['Viber', 'WhatsApp', 'Telegram']))
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  screen.getByRole('button', { name: 'All services' })
})

test('a search by the other layout of the keyboard finds, and a word of no service says so', async () => {
  const { user, open } = await showFilter()
  await open()
  const field = await screen.findByRole('searchbox', { name: 'Find' })
  await user.type(field, 'vib')
  await waitFor(() => expect(names()).toEqual(['Viber']))
  await user.clear(field)
  await user.type(field, 'zzzz')
  await screen.findByText('Nothing found')
})

test('at the limit of choices the others are closed, the chosen ones are not', async () => {
  const many = Array.from({ length: MAX_CHOSEN + 1 }, (_, index) => service(`s${index}`, `Service ${index}`))
  const first = many.slice(0, MAX_CHOSEN).map(({ id }) => id)
  const { user, choices, open } = await showFilter({ answers: { 'GET /api/services': reply(many) }, first })
  await open()
  await user.type(await screen.findByRole('searchbox', { name: 'Find' }), `Service ${MAX_CHOSEN}`)
  expect(await screen.findByRole('checkbox', { name: `Service ${MAX_CHOSEN}` })).toHaveProperty('disabled', true)
  await user.clear(screen.getByRole('searchbox', { name: 'Find' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Service 0' }))
  expect(choices[0]).toHaveLength(MAX_CHOSEN - 1)
})

test('a list that did not load says so, and is asked for again', async () => {
  let tries = 0
  const { user, open } = await showFilter({
    answers: {
      'GET /api/services': () => {
        tries += 1
        if (tries === 1) throw refusal(422, 'INVALID_INPUT', { message: 'No.' })
        return reply()
      },
    },
  })
  await open()
  await screen.findByText('The list didn’t load')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('checkbox', { name: 'Telegram' })
})
