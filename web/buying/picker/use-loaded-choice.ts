import { useState } from 'react'
import { type Choice, isChosen } from '#web/buying/initial/choice.ts'
import { useChoice } from './use-choice.ts'

/** Returns the choice in the URL, and until the first one is there the choice of the loader. */
export function useLoadedChoice(loaded: Choice): ReturnType<typeof useChoice> {
  const [choice, setChoice] = useChoice()
  const [begins, setBegins] = useState(!isChosen(choice))
  if (begins && isChosen(choice)) setBegins(false)
  return [begins ? loaded : choice, setChoice]
}
