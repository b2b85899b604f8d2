/** Fallback without the Clipboard API. False when the browser refuses. */
export function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // A field beside an open dialog would lead the focus out of it.
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
