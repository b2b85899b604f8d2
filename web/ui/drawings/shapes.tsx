/*
 * The shapes of the post office, about 160 wide and 110 high, with the origin in their middle. Lines have the colour of
 * the text around them; one part of each has the signal colour.
 */

/** Returns a closed path with a perforated edge: `across` and `down` are the numbers of teeth, `tooth` their width. */
function perforated({ across, down, tooth }: { across: number; down: number; tooth: number }): string {
  const side = (count: number, dx: number, dy: number) =>
    // Half a tooth at each end keeps the corners whole.
    `l${dx / 2} ${dy / 2}${`a${tooth * 0.36} ${tooth * 0.36} 0 0 0 ${dx * 0.72} ${dy * 0.72}l${dx * 0.28} ${dy * 0.28}`.repeat(count - 1)}l${dx / 2} ${dy / 2}`
  const from = `M${(-across * tooth) / 2} ${(-down * tooth) / 2}`
  return `${from}${side(across, tooth, 0)}${side(down, 0, tooth)}${side(across, -tooth, 0)}${side(down, 0, -tooth)}z`
}

export function EnvelopeShape() {
  return (
    <g>
      <rect x="-80" y="-50" width="160" height="100" rx="7" className="fill-surface" />
      <path d="M-80 -43 L-7 14 q7 5 14 0 L80 -43" fill="none" />
      <path d="M-80 44 L-28 0 M80 44 L28 0" fill="none" />
      <circle cy="14" r="11" strokeWidth="5" className="fill-surface stroke-signal-bright" />
    </g>
  )
}

export function StampShape() {
  return (
    <g>
      <path d={perforated({ across: 7, down: 9, tooth: 11 })} className="fill-surface" />
      <rect x="-29" y="-40" width="58" height="80" rx="2" fill="none" />
      <circle cy="-8" r="17" fill="none" />
      <path d="M-17 -8h34M0 -25c-11 11 -11 23 0 34c11 -11 11 -23 0 -34" fill="none" />
      <path d="M-19 26h38" strokeWidth="5" className="stroke-signal-bright" />
    </g>
  )
}

/** Three numbers on a strip; the last is torn off. */
export function StripShape() {
  return (
    <g>
      {[-92, -34].map((x) => (
        <g key={x} transform={`translate(${x} -24)`}>
          <path
            d="M6 0h46a6 6 0 0 0 6 6v36a6 6 0 0 0 -6 6h-46a6 6 0 0 0 -6 -6v-36a6 6 0 0 0 6 -6z"
            className="fill-surface"
          />
          <path d="M12 18h34M12 30h20" fill="none" />
        </g>
      ))}
      <g transform="translate(36 -22) rotate(9)">
        <path
          d="M6 0h46a6 6 0 0 0 6 6v36a6 6 0 0 0 -6 6h-46a6 6 0 0 0 -6 -6v-36a6 6 0 0 0 6 -6z"
          className="fill-surface"
        />
        <path d="M13 18h32" strokeWidth="5" className="stroke-signal-bright" />
        <path d="M13 31h20" fill="none" />
      </g>
    </g>
  )
}

const JACKS = [-60, -30, 0, 30, 60]
const ROWS = [-36, -12, 12]

/** A telephone switchboard: each jack is a line, two cords join what speaks. */
export function SwitchboardShape() {
  return (
    <g>
      <rect x="-80" y="-54" width="160" height="84" rx="7" className="fill-surface" />
      {ROWS.flatMap((y) => JACKS.map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="5.5" fill="none" />))}
      <path d="M-60 12C-60 66 0 62 0 -12M30 12c0 62 30 50 30 -48" fill="none" strokeWidth="3" />
      <circle cx="-60" cy="12" r="4" fill="currentColor" />
      <circle cx="0" cy="-12" r="4" fill="currentColor" />
      <circle cx="30" cy="12" r="4" fill="currentColor" />
      <circle cx="60" cy="-36" r="6" strokeWidth="4" className="fill-surface stroke-signal-bright" />
    </g>
  )
}

/** A ticket with its stub, as numbers are drawn on the pages. */
export function TicketShape() {
  return (
    <g>
      <path
        d="M-78 -40h108a8 8 0 0 0 16 0h32a6 6 0 0 1 6 6v68a6 6 0 0 1 -6 6h-32a8 8 0 0 0 -16 0h-108a6 6 0 0 1 -6 -6v-68a6 6 0 0 1 6 -6z"
        className="fill-surface"
      />
      <path d="M38 -28v56" strokeDasharray="1 7" strokeLinecap="round" strokeWidth="3" />
      <path d="M-66 -20h40M-66 -4h76M-66 18h30" fill="none" />
      <path d="M50 -4h22" strokeWidth="5" className="stroke-signal-bright" />
    </g>
  )
}

/** A receipt, torn off below. */
export function ReceiptShape() {
  return (
    <g>
      <path
        d="M-42 -56h84v104l-7 -6 -7 6 -7 -6 -7 6 -7 -6 -7 6 -7 -6 -7 6 -7 -6 -7 6 -7 -6 -7 6z"
        className="fill-surface"
      />
      <path d="M-28 -38h30M-28 -20h56M-28 -6h56M-28 8h56" fill="none" />
      <path d="M4 26h24" strokeWidth="5" className="stroke-signal-bright" />
    </g>
  )
}
