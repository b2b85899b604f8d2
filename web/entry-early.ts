import type {} from './early-press.ts'

// Records the last press of a button before hydration; entry-client.tsx repeats it. Links and forms with an action
// work without scripts. Enter in a panel search is taken as a key, because the browser would press the buy button.
if (window.takeEarlyPress === undefined) {
  let pressed: HTMLElement | null = null
  const noteClick = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.type === 'button') pressed = button
  }
  const noteSubmit = (event: SubmitEvent): void => {
    if (!(event.target instanceof HTMLFormElement) || event.target.hasAttribute('action')) return
    // A native submit would reload the page and lose the input.
    event.preventDefault()
    pressed = event.submitter
  }
  const noteKey = (event: KeyboardEvent): void => {
    const { key, target } = event
    if (key !== 'Enter' || event.isComposing || !(target instanceof HTMLInputElement)) return
    if (target.dataset.panelSearch === undefined) return
    event.preventDefault()
    pressed = target
  }
  addEventListener('click', noteClick, true)
  addEventListener('submit', noteSubmit, true)
  addEventListener('keydown', noteKey, true)
  window.takeEarlyPress = () => {
    removeEventListener('click', noteClick, true)
    removeEventListener('submit', noteSubmit, true)
    removeEventListener('keydown', noteKey, true)
    return pressed
  }
}
