import { Inbox } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Mark } from '#web/ui/marks/initial/mark.tsx'

export const FULL_NUMBER = 'full'

const SIZES = { small: { tile: 'size-7', icon: 16 }, large: { tile: 'size-10', icon: 22 } } as const

export function RentMark({ service, size = 'small' }: ComponentProps<typeof Mark>) {
  if (service.id !== FULL_NUMBER) return <Mark service={service} size={size} />
  const { tile, icon } = SIZES[size]
  return (
    <span className={`inline-flex ${tile} shrink-0 items-center justify-center rounded-[25%] bg-ink text-paper`}>
      <Inbox size={icon} aria-hidden />
    </span>
  )
}
