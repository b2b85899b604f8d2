/** Copies text without the Clipboard API. Returns false if the browser refuses. */
export function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // The text field is put into an open dialog, because a field outside would take the focus out of the dialog.
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
