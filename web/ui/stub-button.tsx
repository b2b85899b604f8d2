import type { ReactNode } from 'react'

type StubButtonProps = {
  closed: boolean
  /** The share of the wait that is over, from 0 to 1, which fills the button. */
  filled?: number | undefined
  label?: string
  /** The tip says why the button is disabled, or what to know before pressing it. */
  tip?: string | undefined
  onPress: () => void
  children: ReactNode
}

/** The buttons of a stub have equal widths, in one line. */
export const STUB_BUTTONS = 'grid auto-cols-fr grid-flow-col gap-1.5'

/** Renders a button that can get the focus even if it is disabled, so that users can read its tip. */
export function StubButton({ closed, filled, label, tip, onPress, children }: StubButtonProps) {
  return (
    <button
      type="button"
      data-stub-button
      className="relative inline-flex min-h-11 flex-wrap items-center justify-center gap-x-1.5 overflow-hidden rounded-sm border border-edge px-1.5 py-1 text-center text-[13px] leading-tight font-medium transition-colors duration-150 ease-calm not-aria-disabled:hover:bg-ink/8 aria-disabled:cursor-default aria-disabled:border-hairline aria-disabled:text-muted"
      aria-label={label}
      aria-disabled={closed}
      title={tip}
      onClick={() => (closed ? undefined : onPress())}
    >
      {filled === undefined ? null : (
        <span aria-hidden className="absolute inset-y-0 left-0 bg-ink/8" style={{ width: `${filled * 100}%` }} />
      )}
      {children}
    </button>
  )
}
