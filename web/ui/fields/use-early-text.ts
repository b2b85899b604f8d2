import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * The text of a controlled field may precede hydration, or the browser may have restored it: React knows nothing of it then.
 * Tells of it before a press of before hydration is repeated, so what is sent is what was typed.
 */
export function useEarlyText<Field extends HTMLInputElement | HTMLTextAreaElement = HTMLInputElement>(
  known: string,
  onText: (text: string) => void,
): RefObject<Field | null> {
  const field = useRef<Field>(null)
  const compare = useEffectEvent(() => {
    const text = field.current?.value ?? known
    if (text !== known) onText(text)
  })
  useLayoutEffect(() => compare(), [])
  return field
}
