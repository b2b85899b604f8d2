/** Renders the logo mark, which is decorative, because the site's name is beside it. */
export function LogoMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={className}>
      <path
        className="fill-signal-bright"
        d="M5 4h18a3 3 0 0 1 3 3v4.2a2.8 2.8 0 0 0 0 5.6V21a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4.2a2.8 2.8 0 0 0 0-5.6V7a3 3 0 0 1 3-3z"
      />
      <circle cx="14" cy="14" r="5" fill="none" strokeWidth="2.6" className="stroke-paper" />
    </svg>
  )
}

/** Renders the logo with the site's name, which `wordLook` may hide, because the link around the logo has a label. */
export function Logo({ wordLook = '' }: { wordLook?: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark />
      <span className={`text-[19px] font-bold tracking-[-0.03em] ${wordLook}`}>ringpost</span>
    </span>
  )
}
