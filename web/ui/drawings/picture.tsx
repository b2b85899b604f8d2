import type { ReactNode } from 'react'
import { hashText } from '#contract/formats/text-hash.ts'
import { PostmarkShape } from './postmark.tsx'
import { EnvelopeShape, ReceiptShape, StampShape, StripShape, SwitchboardShape, TicketShape } from './shapes.tsx'

/** The shapes of each section of the blog. Other sections have all shapes. */
const OF_SECTION: Record<string, readonly (() => ReactNode)[]> = {
  guides: [EnvelopeShape, StampShape, StripShape],
  developers: [SwitchboardShape, StripShape, TicketShape],
  product: [TicketShape, ReceiptShape, StampShape],
}
const ALL = [EnvelopeShape, TicketShape, SwitchboardShape, StampShape, ReceiptShape, StripShape]

type PictureProps = { seed: string; section: string; date: string; className: string }

/**
 * Renders a decorative picture of an article: two shapes and a postmark, placed by the article's slug. `date` is the day
 * of the article, as 2026-11-30.
 */
export function Picture({ seed, section, date, className }: PictureProps) {
  const shapes = OF_SECTION[section] ?? ALL
  const draw = drawer(seed)
  const first = draw(shapes.length)
  const second = (first + 1 + draw(shapes.length - 1)) % shapes.length
  const [Main, Other] = [shapes[first] ?? EnvelopeShape, shapes[second] ?? TicketShape]
  const side = draw(2) === 0 ? 1 : -1
  const [, month = '', day = ''] = date.split('-')
  return (
    <svg
      viewBox="0 0 400 200"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      stroke="currentColor"
      strokeWidth="2"
      className={`text-edge ${className}`}
    >
      <rect width="400" height="200" stroke="none" className="fill-sunken" />
      <Lines lift={draw(60)} />
      <g
        transform={`translate(${200 + side * (96 + draw(24))} ${78 + draw(30)}) rotate(${side * (6 + draw(12))}) scale(0.86)`}
      >
        <Other />
      </g>
      <g
        transform={`translate(${200 - side * (48 + draw(26))} ${98 + draw(14)}) rotate(${-side * (2 + draw(8))}) scale(1.18)`}
      >
        <Main />
      </g>
      <g
        transform={`translate(${200 + side * (18 + draw(40))} ${146 + draw(18)}) rotate(${-24 + draw(40)}) scale(0.8)`}
        className="text-signal-bright"
      >
        <PostmarkShape words={{ top: `${day}·${month}`, date: date.slice(0, 4) }} />
      </g>
    </svg>
  )
}

/** The wires of the post office, behind everything. */
function Lines({ lift }: { lift: number }) {
  return (
    <path
      d={[0, 12, 24]
        .map((y) => `M-10 ${30 + lift + y}C120 ${10 + lift + y} 260 ${90 - lift + y} 410 ${40 + y}`)
        .join('')}
      fill="none"
      className="stroke-hairline"
    />
  )
}

/** Returns a function that draws whole numbers below a limit, always the same for one seed. */
function drawer(seed: string): (below: number) => number {
  let drawn = 0
  return (below) => {
    drawn += 1
    return below <= 0 ? 0 : hashText(`${seed} ${drawn}`) % below
  }
}
