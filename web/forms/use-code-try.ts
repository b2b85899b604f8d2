import { useState } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'

export function useCodeTry(check: (code: string) => Promise<void>) {
  const fail = useFailure()
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  const [readOnly, setReadOnly] = useState(false)

  async function attempt(code: string): Promise<void> {
    setReadOnly(true)
    setError(undefined)
    try {
      await check(code)
    } catch (failure) {
      setValue('')
      if (failure instanceof CallError && failure.httpStatus === 422) setError(failure.message)
      fail(failure)
    } finally {
      setReadOnly(false)
    }
  }
  return {
    value,
    error,
    readOnly,
    onChange: (next: string) => {
      setValue(next)
      if (next !== '') setError(undefined)
    },
    onComplete: (code: string) => inBackground(attempt(code)),
  }
}
