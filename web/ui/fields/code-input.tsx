import { OTPField } from '@base-ui/react/otp-field'
import { type RefObject, useEffect, useEffectEvent, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { CODE_LENGTH, CODE_SUBMIT_DELAY_MS } from '#contract/account-constants.ts'

type CodeInputProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Called once for each complete code, after a second without changes or by Enter. */
  onComplete?: (value: string) => void
  /** After a wrong code, clearing `value` returns the focus to the first box. */
  error?: string | undefined
  autoFocus?: boolean
  /** True as long as the code is being checked. The digits and the focus stay. */
  readOnly?: boolean
  ref?: RefObject<HTMLInputElement | null>
}

const BOXES = Array.from({ length: CODE_LENGTH }, (_, index) => index)

/** Renders six boxes for a code. A paste fills all of them, and phones offer the code of an SMS message. */
export function CodeInput({ label, value, onChange, onComplete, error, autoFocus, readOnly, ref }: CodeInputProps) {
  const t = useTranslations('code')
  const id = useId()
  const errorId = `${id}-error`
  const own = useRef<HTMLInputElement>(null)
  const first = ref ?? own
  useFocus(first, value, autoFocus === true)
  const complete = useCompletion(value, readOnly === true, onComplete)
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <OTPField.Root
        id={id}
        length={CODE_LENGTH}
        value={value}
        readOnly={readOnly}
        aria-describedby={error === undefined ? undefined : errorId}
        className="grid max-w-84 grid-cols-6 gap-2"
        onValueChange={onChange}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          complete()
        }}
      >
        {BOXES.map((index) => (
          <OTPField.Input
            key={index}
            ref={index === 0 ? first : undefined}
            aria-label={index === 0 ? undefined : t('digit', { number: index + 1 })}
            aria-invalid={error !== undefined}
            className={`h-13 w-full min-w-0 rounded border bg-surface text-center font-mono text-2xl font-semibold text-ink ${
              error === undefined ? 'border-edge' : 'border-error'
            } ${readOnly ? 'opacity-60' : ''}`}
          />
        ))}
      </OTPField.Root>
      <div role="alert">
        {error === undefined ? null : (
          <p id={errorId} className="mt-1.5 text-sm text-error">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

/** Sets the focus on mount if wanted, and whenever the boxes are cleared for the next attempt. */
function useFocus(first: RefObject<HTMLInputElement | null>, value: string, atFirst: boolean): void {
  const wanted = useRef(atFirst)
  useEffect(() => {
    if (value === '' && wanted.current) first.current?.focus()
    wanted.current = value !== ''
  }, [first, value])
}

/** Submits each code once, so that a refused code is not sent repeatedly. */
function useCompletion(value: string, readOnly: boolean, onComplete: CodeInputProps['onComplete']): () => void {
  const handedOn = useRef<string>(undefined)
  function complete(): void {
    if (value.length !== CODE_LENGTH || readOnly || handedOn.current === value) return
    handedOn.current = value
    onComplete?.(value)
  }
  const completeLater = useEffectEvent(complete)
  useEffect(() => {
    if (value.length !== CODE_LENGTH) handedOn.current = undefined
    const timer = setTimeout(completeLater, CODE_SUBMIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return complete
}
