import { Inbox } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Mark } from '#web/ui/marks/mark.tsx'

/** The service that stands for all of them; the same word as in the contract. */
export const FULL_NUMBER = 'full'

const SIZES = { small: { tile: 'size-7', icon: 16 }, large: { tile: 'size-10', icon: 22 } } as const

/** The mark of what a number is rented for: a service, or an inbox for all that comes. */
export function RentMark({ service, size = 'small' }: ComponentProps<typeof Mark>) {
  if (service.id !== FULL_NUMBER) return <Mark service={service} size={size} />
  const { tile, icon } = SIZES[size]
  return (
    <span className={`inline-flex ${tile} shrink-0 items-center justify-center rounded-[25%] bg-ink text-paper`}>
      <Inbox size={icon} aria-hidden />
    </span>
  )
}
