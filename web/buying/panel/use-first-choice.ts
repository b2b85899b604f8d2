import { useEffect, useState } from 'react'
import { type Choice, isChosen } from '#web/buying/initial/choice.ts'
import { useChoice } from '#web/buying/picker/use-choice.ts'

/**
 * Returns the choice (service, country, operator, period) in the URL, and its setter. If the URL has no choice, writes
 * the loader's choice `own` into it.
 */
export function useFirstChoice(own: Choice): ReturnType<typeof useChoice> {
  const [choice, setChoice] = useChoice()
  const [begins, setBegins] = useState(isChosen(own) && !isChosen(choice))
  useEffect(() => {
    if (!begins) return
    setChoice(own)
    setBegins(false)
  }, [begins, own, setChoice])
  return [begins ? own : choice, setChoice]
}
