type Words = { top: string; date: string }

/** Renders a postmark alone. Without words its rings are empty. */
export function Postmark({ words, className }: { words?: Words; className: string }) {
  return (
    <svg viewBox="-48 -48 146 96" aria-hidden="true" stroke="currentColor" strokeWidth="2" className={className}>
      <PostmarkShape words={words} />
    </svg>
  )
}

/** Draws a postmark as the shapes of shapes.tsx, in a file of its own because tickets have no other shape. */
export function PostmarkShape({ words }: { words: Words | undefined }) {
  return (
    <g fill="none">
      <circle r="44" />
      <circle r="29" />
      <path d="M46 -22q11 -7 22 0t22 0M50 -7q11 -7 22 0t22 0M50 8q11 -7 22 0t22 0M46 23q11 -7 22 0t22 0" />
      {words === undefined ? null : (
        <g stroke="none" fill="currentColor" textAnchor="middle" className="font-mono font-semibold">
          <text y="-1" fontSize="13">
            {words.top}
          </text>
          <text y="14" fontSize="12">
            {words.date}
          </text>
        </g>
      )}
    </g>
  )
}
