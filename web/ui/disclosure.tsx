import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

type DisclosureProps = {
  button: ReactNode
  label: string
  buttonLook: string
  panelLook: string
  children: (close: () => void) => ReactNode
  className?: string
}

/**
 * Renders ARIA's disclosure with plain tab order. Esc, a press outside and leaving by Tab close the panel. Esc and
 * `close` return the focus to the button, because the focused element disappears.
 */
export function Disclosure({ button, label, buttonLook, panelLook, children, className = '' }: DisclosureProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }

  useEffect(() => {
    const element = root.current
    if (!open || element === null) return
    const contains = (target: EventTarget | null) => target instanceof Node && element.contains(target)
    const closeOutside = ({ target }: PointerEvent) => (contains(target) ? undefined : setOpen(false))
    // A press on plain text moves the focus to no element or to `main`. Neither move closes the panel.
    const surrounds = (target: EventTarget | null) => target instanceof Node && target.contains(element)
    const closeOnLeave = ({ relatedTarget: to }: FocusEvent) =>
      to === null || contains(to) || surrounds(to) ? undefined : setOpen(false)
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
      toggle.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    element.addEventListener('focusout', closeOnLeave)
    element.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      element.removeEventListener('focusout', closeOnLeave)
      element.removeEventListener('keydown', closeByKey)
    }
  }, [open])

  return (
    <div ref={root} className={`relative ${className}`}>
      <button
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        aria-label={label}
        title={label}
        className={buttonLook}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div
          id={panelId}
          className={`absolute z-40 rounded border border-hairline bg-surface p-1.5 shadow-raised ${panelLook}`}
        >
          {children(close)}
        </div>
      ) : null}
    </div>
  )
}
