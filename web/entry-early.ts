import type {} from './early-press.ts'

// What the server drew can be pressed before the page's scripts are here. This small one comes first and notes the last
// press of what only scripts answer; entry-client.tsx presses it again. Links, and forms with an address, do without scripts.
// Enter in a search of the panel chooses what is found: to the browser it would be a press of the button that buys.
if (window.takeEarlyPress === undefined) {
  let pressed: HTMLElement | null = null
  const noteClick = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.type === 'button') pressed = button
  }
  const noteSubmit = (event: SubmitEvent): void => {
    if (!(event.target instanceof HTMLFormElement) || event.target.hasAttribute('action')) return
    // The browser would load the page anew, and what was chosen or typed would be gone.
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
