import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Choice, stepBack } from '#web/buying/initial/choice.ts'
import type { OpenedStep } from '#web/buying/panel/steps.ts'

type Half = 'service' | 'country'

type KeyboardGuide = {
  opened: OpenedStep
  setOpened: (opened: OpenedStep) => void
  choose: (half: Half, next: Choice, byKeyboard: boolean) => void
  search: () => void
  back: () => void
}

/**
 * Moves the focus after a choice by keyboard: to the next search field, at last to the buy button, so that Enter buys.
 * The search shortcut asks for service and country again, because a remembered pair is seldom wanted.
 */
export function useKeyboardGuide(
  form: RefObject<HTMLFormElement | null>,
  choice: Choice,
  setChoice: (choice: Choice) => void,
): KeyboardGuide {
  const [opened, setOpened] = useState<OpenedStep>(null)
  // Each move of the focus gets a new object, because the same place may be wanted twice.
  const [wanted, setWanted] = useState<{ place: Half | 'button' } | null>(null)
  const asked = useRef<Half[]>([])
  useEffect(() => {
    if (wanted !== null) moveFocus(form.current, wanted.place)
  }, [wanted, form])

  function choose(half: Half, next: Choice, byKeyboard: boolean): void {
    asked.current = byKeyboard ? asked.current.filter((other) => other !== half) : []
    const left = byKeyboard ? nextHalf(next, asked.current) : null
    setOpened(left)
    if (byKeyboard) setWanted({ place: left ?? 'button' })
    setChoice(next)
  }
  function search(): void {
    asked.current = ['service', 'country']
    setOpened('service')
    setWanted({ place: 'service' })
  }
  function back(): void {
    setOpened(null)
    // Escape closes the ladder of operators and changes nothing else.
    if (opened === 'operator') return
    const isAsked = asked.current.length > 0
    asked.current = []
    // Escape restores the pair from before the search, because that helps more than clearing one part of the choice.
    if (isAsked && nextHalf(choice, []) === null) {
      setWanted({ place: 'button' })
      return
    }
    const before = stepBack(choice)
    if (before === null) return
    setChoice(before)
    const isSearched = form.current?.querySelector('[data-panel-search]:focus') ?? null
    if (isSearched !== null && before.serviceId !== choice.serviceId) setWanted({ place: 'service' })
  }
  return { opened, setOpened, choose, search, back }
}

function nextHalf({ serviceId, countryId }: Choice, asked: readonly Half[]): Half | null {
  if (serviceId === null || asked.includes('service')) return 'service'
  return countryId === null || asked.includes('country') ? 'country' : null
}

function moveFocus(form: HTMLFormElement | null, place: Half | 'button'): void {
  if (place === 'button') {
    form?.querySelector<HTMLElement>('[data-panel-buy]')?.focus({ preventScroll: true })
    return
  }
  const field = form?.querySelector<HTMLInputElement>(`[data-panel-search="${place}"]`)
  field?.focus()
  field?.select()
}
