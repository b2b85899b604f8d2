import type { ReactNode } from 'react'

type StubButtonProps = {
  /** It cannot be pressed now. */
  closed: boolean
  /** Why not, or what to know before. */
  tip?: string | undefined
  onPress: () => void
  children: ReactNode
}

/** One action on the stub of a ticket. Closed, it stays where it is and can be reached, so that its tip can be read. */
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
