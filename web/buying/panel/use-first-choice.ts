import { useEffect, useState } from 'react'
import { type Choice, isChosen } from '#web/buying/initial/choice.ts'
import { useChoice } from '#web/buying/picker/use-choice.ts'

/**
 * Returns the choice (service, country, operator, period) in the URL, and its setter. If the URL has no choice, writes
 * the loader's choice `own` into it. A page whose path already names the choice (`isInPath`) keeps its URL.
 */
export function useFirstChoice(own: Choice, isInPath: boolean): ReturnType<typeof useChoice> {
  const [choice, setChoice] = useChoice()
  const [begins, setBegins] = useState(isChosen(own) && !isChosen(choice))
  useEffect(() => {
    if (!begins || isInPath) return
    setChoice(own)
    setBegins(false)
  }, [begins, isInPath, own, setChoice])
  const isOwn = isInPath ? !isChosen(choice) : begins
  return [isOwn ? own : choice, setChoice]
}
