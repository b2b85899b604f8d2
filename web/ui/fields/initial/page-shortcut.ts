/** Returns true for a key that may act as a shortcut: not handled yet, no modifier, no open dialog. */
export function isPageShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey || event.ctrlKey || event.metaKey)
    return false
  return document.querySelector('[role="dialog"], [role="alertdialog"]') === null
}

export function targetOf({ target }: KeyboardEvent): HTMLElement {
  return target instanceof HTMLElement ? target : document.body
}

export function isTypedInto(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches('input, textarea, select')
}
