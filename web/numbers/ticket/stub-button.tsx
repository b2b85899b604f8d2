import type { ReactNode } from 'react'

type StubButtonProps = {
  closed: boolean
  /** Why it is closed, or what to know before pressing. */
  tip?: string | undefined
  onPress: () => void
  children: ReactNode
}

/** A closed button stays focusable, so its tip can be read. */
export function StubButton({ closed, tip, onPress, children }: StubButtonProps) {
  return (
    <button
      type="button"
      className="ticket-button"
      aria-disabled={closed}
      title={tip}
      onClick={() => (closed ? undefined : onPress())}
    >
      {children}
    </button>
  )
}
