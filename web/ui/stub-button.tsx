import type { ReactNode } from 'react'

type StubButtonProps = {
  closed: boolean
  label?: string
  /** The tip says why the button is disabled, or what to know before pressing it. */
  tip?: string | undefined
  onPress: () => void
  children: ReactNode
}

/** Renders a button that can get the focus even if it is disabled, so that users can read its tip. */
export function StubButton({ closed, label, tip, onPress, children }: StubButtonProps) {
  return (
    <button
      type="button"
      data-stub-button
      className="inline-flex min-h-10 items-center gap-1.5 rounded-sm px-2 text-[14px] font-medium whitespace-nowrap transition-colors duration-150 ease-calm not-aria-disabled:hover:bg-ink/8 aria-disabled:cursor-default aria-disabled:text-muted"
      aria-label={label}
      aria-disabled={closed}
      title={tip}
      onClick={() => (closed ? undefined : onPress())}
    >
      {children}
    </button>
  )
}
