import type { ReactNode } from 'react'
import { PostmarkShape } from './postmark.tsx'
import { EnvelopeShape, ReceiptShape, StampShape, StripShape, SwitchboardShape, TicketShape } from './shapes.tsx'

export type DrawingName = 'envelope' | 'stamp' | 'postmark' | 'strip' | 'switchboard' | 'ticket' | 'receipt'

const SHAPES: Record<DrawingName, () => ReactNode> = {
  envelope: EnvelopeShape,
  stamp: StampShape,
  postmark: () => <PostmarkShape words={{ top: 'RINGPOST', date: '• • •' }} />,
  strip: StripShape,
  switchboard: SwitchboardShape,
  ticket: TicketShape,
  receipt: ReceiptShape,
}

/** Renders one decorative shape, for a screen that has nothing else to show. */
export function Drawing({ name, className }: { name: DrawingName; className: string }) {
  const Shape = SHAPES[name]
  return (
    <svg viewBox="-110 -66 220 132" aria-hidden="true" stroke="currentColor" strokeWidth="2" className={className}>
      <Shape />
    </svg>
  )
}
