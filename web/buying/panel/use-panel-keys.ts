import { useEffect, useEffectEvent } from 'react'
import { isPageShortcut, isTypedInto, targetOf } from '#web/ui/fields/initial/page-shortcut.ts'

export type PanelKeys = {
  /** Called for the key `/`, unless pressed in a text field. */
  search: () => void
  buy: () => void
  back: () => void
}

/** Handles the buy panel's keys wherever the focus is, unless a dialog is open or another handler took the key. */
export function usePanelKeys(keys: PanelKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isPageShortcut(event)) return
    const target = targetOf(event)
    if (event.key === '/' && !isTypedInto(target)) {
      event.preventDefault()
      keys.search()
    } else if (event.key === 'Escape') {
      keys.back()
    } else if (event.key === 'Enter' && (target === document.body || target.id === 'main')) {
      event.preventDefault()
      keys.buy()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
