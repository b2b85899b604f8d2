/** Renders a decorative picture. `text` is an HTTP status; undefined if the page shows only a message. */
export function TornTicket({ text }: { text?: string | number | undefined }) {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" className="h-28 w-auto">
      <g className="fill-surface stroke-hairline" strokeWidth="1.5">
        <path d="M12 14h146l-5 7 5 7-5 8 5 8-5 8 5 8-5 8 5 8-5 8 5 8-5 7 2 7H12a8 8 0 0 1-8-8V22a8 8 0 0 1 8-8z" />
        <path
          d="M172 14h68a8 8 0 0 1 8 8v76a8 8 0 0 1-8 8h-70l-2-7 5-7-5-8 5-8-5-8 5-8-5-8 5-8-5-8 5-8-5-7z"
          transform="rotate(7 210 60) translate(4 2)"
        />
      </g>
      <text x="78" y="76" textAnchor="middle" className="fill-ink font-mono text-[44px] font-semibold tracking-wider">
        {text}
      </text>
      <circle cx="214" cy="62" r="15" fill="none" strokeWidth="5" className="stroke-signal-bright" />
    </svg>
  )
}
