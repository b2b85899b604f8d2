import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type Choice, readChoice, writeChoice } from './choice.ts'

/**
 * The choice in the address, and how to change it. Changes replace the entry of the history: Back leaves the panel. They
 * are drawn at once, or a menu would jump back to its former value for a moment.
 */
export function useChoice(): [Choice, (choice: Choice) => void] {
  const [params, setParams] = useSearchParams()
  const setChoice = useCallback(
    (choice: Choice) =>
      setParams((before) => writeChoice(before, choice), { replace: true, preventScrollReset: true, flushSync: true }),
    [setParams],
  )
  return [readChoice(params), setChoice]
}
