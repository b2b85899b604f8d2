import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { Sparkline } from './sparkline.tsx'

test('the line ends at the right edge, above the word for now, and the last finished hour has a figure', async () => {
  const { container } = await show(<Sparkline codes={[0, 25, 50, 25, 100]} />)
  const points = container.querySelector('polyline')?.getAttribute('points')?.split(' ')
  const width = container.querySelector('svg')?.getAttribute('viewBox')?.split(' ')[2]
  expect(Number(points?.at(-1)?.split(',')[0])).toBe(Number(width))
  screen.getByText('Last full hour: 50% of the busiest')
})

test('finished hours are a line for the eye and a sentence for all others; the current hour is in neither', async () => {
  const { container } = await show(<Sparkline codes={[0, 25, 50, 25, 100]} />)
  screen.getByRole('img', { name: 'Codes per hour over the last 4 hours. The busiest hour was 2 hours ago.' })
  const points = container.querySelector('polyline')?.getAttribute('points')?.split(' ')
  expect(points?.map((point) => Number(point.split(',')[1]))).toEqual([40, 20, 0, 20])
})
