import { keepPresses, lostLink, showOfflineLine, takeKeptPresses } from './early-network.ts'
import type {} from './early-press.ts'

// Records user input before hydration: choices (check boxes, radio buttons, selects, files, buttons with aria-pressed)
// and the last press of another button. entry-client.tsx repeats the choices, then the press. A choice after a press
// cancels that press. Links and forms with an action work without scripts, but a link waits for a lost network.
// Enter in a panel's search field is recorded as a key, because the browser would press the buy button. A letter that
// is a button's shortcut counts as a press of that button.
// Keys are recorded until their listeners are attached, at the end of hydration. React itself repeats clicks that come
// during hydration.
if (window.takeEarlyPress === undefined) {
  const choices = new Set<HTMLElement>()
  let pressed: HTMLElement | null = null
  let isHydrating = false
  const choose = (element: HTMLElement): void => {
    choices.delete(element)
    choices.add(element)
    pressed = null
  }
  const noteClick = (event: MouseEvent): void => {
    const { target } = event
    const link = lostLink(event)
    if (link !== null) {
      event.preventDefault()
      pressed = link
      return
    }
    const button =
      target instanceof Element ? target.closest<HTMLElement>('button[type=button], input[type=button]') : null
    if (button?.hasAttribute('aria-pressed')) choose(button)
    else pressed = button ?? pressed
  }
  const noteChange = ({ target }: Event): void => {
    if (target instanceof HTMLElement && target.matches('select, [type=checkbox], [type=radio], [type=file]'))
      choose(target)
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
  const leaveLine = showOfflineLine()
  const take = (): HTMLElement | null => {
    const taken = pressed
    pressed = null
    return taken
  }
  // Reloads a page whose scripts did not load for lack of a network, because no other code can notice its return. The
  // network may be back before the failure is known. In that case no event comes. A failed reload is not repeated.
  const lookForScripts = (): void => {
    const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
    if (script === null || window.pageBegan === true) return
    addEventListener('online', loadAgain, { once: true })
    const [visit] = performance.getEntriesByType('navigation')
    if (visit instanceof PerformanceNavigationTiming && visit.type !== 'reload') lookFor(script.src, 1_000)
  }
  const loadAgain = (): void => {
    if (pressed instanceof HTMLAnchorElement) {
      location.assign(pressed.href)
      return
    }
    keepPresses([...choices, ...(pressed === null ? [] : [pressed])])
    location.reload()
  }
  const lookFor = (script: string, waitMs: number): void => {
    const again = () => lookFor(script, Math.min(2 * waitMs, 60_000))
    const look = (): void => {
      fetch(script, { method: 'HEAD' }).then(({ ok }) => (ok ? loadAgain() : again()), again)
    }
    setTimeout(look, waitMs)
  }
  // The window's load event comes after all scripts have loaded or failed.
  if (document.readyState === 'complete') lookForScripts()
  else addEventListener('load', lookForScripts)
  addEventListener('click', noteClick, true)
  addEventListener('change', noteChange, true)
  addEventListener('submit', noteSubmit, true)
  addEventListener('keydown', noteKey, true)
  window.loadPageAgain = loadAgain
  window.takeEarlyPress = () => {
    removeEventListener('click', noteClick, true)
    removeEventListener('change', noteChange, true)
    removeEventListener('submit', noteSubmit, true)
    leaveLine()
    isHydrating = true
    const last = take()
    // An element that was pressed again is pressed once.
    const kept = takeKeptPresses().filter((element) => element !== last && !choices.has(element))
    return { choices: [...kept, ...choices], pressed: last }
  }
  window.takeEarlyKey = () => {
    removeEventListener('keydown', noteKey, true)
    return take()
  }
}
