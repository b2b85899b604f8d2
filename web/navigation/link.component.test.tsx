import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { Link, NavLink } from './link.tsx'

const look = ({ isActive }: { isActive: boolean }) => (isActive ? 'here' : 'there')

test('a plain press, by pointer or by Enter, goes to the page without a document', async () => {
  const { user, loads, history } = await show(<Link to="/price?letter=a#top">Prices</Link>)
  const link = screen.getByRole('link', { name: 'Prices' })
  expect(link.getAttribute('href')).toBe('/price?letter=a#top')
  await user.click(link)
  expect(loads.map(({ url }) => url)).toEqual(['/price?letter=a#top'])
  link.focus()
  await user.keyboard('{Enter}')
  expect(loads).toHaveLength(2)
  expect(history.entries).toHaveLength(1)
})

test('every other press is the browser’s: with a key, with another button, for another tab, or already handled', async () => {
  const stop = (event: { preventDefault: () => void }) => event.preventDefault()
  const { loads } = await show(
    <>
      <Link to="/price">One</Link>
      <Link to="/price" target="_blank">
        Tab
      </Link>
      <Link to="/price" onClick={stop}>
        Handled
      </Link>
    </>,
  )
  const left: boolean[] = []
  const notice = (event: MouseEvent) => {
    left.push(!event.defaultPrevented)
    event.preventDefault()
  }
  document.addEventListener('click', notice)
  const user = userEvent.setup()
  for (const key of ['Control', 'Meta', 'Shift', 'Alt']) {
    await user.keyboard(`{${key}>}`)
    await user.click(screen.getByText('One'))
    await user.keyboard(`{/${key}}`)
  }
  await user.click(screen.getByText('Tab'))
  await user.click(screen.getByText('Handled'))
  document.removeEventListener('click', notice)
  expect(left).toEqual([true, true, true, true, true, false])
  expect(loads).toEqual([])
})

test('a link to the page that is shown adds no entry, with its query or hash it does', async () => {
  const { user, loads, history, pages } = await show(
    <>
      <Link to="/">Home</Link>
      <Link to="/?service=tg">Telegram</Link>
    </>,
  )
  await user.click(screen.getByText('Home'))
  loads.at(-1)?.answer('again')
  await expect.poll(() => pages.get().content).toHaveProperty('data', 'again')
  expect(history.entries).toHaveLength(1)
  await user.click(screen.getByText('Telegram'))
  loads.at(-1)?.answer('with a query')
  await expect.poll(() => history.entries.length).toBe(2)
})

test('the section of the page is marked, below it too unless it says `end`; a name that only begins alike is another', async () => {
  await show(
    <>
      <NavLink to="/blog" className={look}>
        Blog
      </NavLink>
      <NavLink to="/blog" end className={look}>
        First page
      </NavLink>
      <NavLink to="/blo" className={look}>
        Blo
      </NavLink>
      <NavLink to="/" end className={look}>
        Home
      </NavLink>
    </>,
    { at: '/blog/news' },
  )
  const marks = screen.getAllByRole('link').map((link) => [link.textContent, link.className, link.ariaCurrent])
  expect(marks).toEqual([
    ['Blog', 'here', 'page'],
    ['First page', 'there', null],
    ['Blo', 'there', null],
    ['Home', 'there', null],
  ])
})
