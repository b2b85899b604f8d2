import type {} from './early-press.ts'

// Records the last press of a button, or the last change of a check box or a select, before hydration; entry-client.tsx repeats it. Links and forms with an action
// work without scripts. Enter in a panel search is taken as a key, because the browser would press the buy button.
// A letter that is the shortcut of a button counts as a press of it. Keys are recorded until their listeners are attached, at the end of hydration.
// React itself repeats clicks that come during hydration.
if (window.takeEarlyPress === undefined) {
  let pressed: HTMLElement | null = null
  let isHydrating = false
  const noteClick = ({ target }: Event): void => {
    const pressable = target instanceof Element ? target.closest('button, input') : null
    const { type } = (pressable ?? {}) as Partial<HTMLInputElement>
    if (type === 'button' || type === 'checkbox') pressed = pressable as HTMLElement
  }
  const noteChange = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) pressed = target
  }
  const noteSubmit = (event: SubmitEvent): void => {
    if (!(event.target instanceof HTMLFormElement) || event.target.hasAttribute('action')) return
    // A native submit would reload the page and lose the input.
    event.preventDefault()
    pressed = event.submitter
  }
  const noteKey = (event: KeyboardEvent): void => {
    const { key, code, target } = event
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (target instanceof HTMLInputElement) {
      if (isHydrating || key !== 'Enter' || target.dataset.panelSearch === undefined) return
      event.preventDefault()
      pressed = target
    } else if (code.startsWith('Key') && target instanceof Element && !target.matches('textarea, select')) {
      const named = `[aria-keyshortcuts="${code.slice('Key'.length).toLowerCase()}"]`
      pressed = document.querySelector<HTMLElement>(named) ?? pressed
    }
  }
  const take = (): HTMLElement | null => {
    const taken = pressed
    pressed = null
    return taken
  }
  addEventListener('click', noteClick, true)
  addEventListener('change', noteChange, true)
  addEventListener('submit', noteSubmit, true)
  addEventListener('keydown', noteKey, true)
  window.takeEarlyPress = () => {
    removeEventListener('click', noteClick, true)
    removeEventListener('change', noteChange, true)
    removeEventListener('submit', noteSubmit, true)
    isHydrating = true
    return take()
  }
  window.takeEarlyKey = () => {
    removeEventListener('keydown', noteKey, true)
    return take()
  }
}
