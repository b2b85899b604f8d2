import { type ComponentProps, type ReactNode, useId } from 'react'
import { normalizeText } from './initial/normalize-text.ts'

type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string | undefined
  end?: ReactNode
  /** If true, spaces stay as typed, which passwords need. */
  exact?: boolean
}

export function TextField({ label, error, end, exact = false, className = '', id, onChange, ...rest }: TextFieldProps) {
  const madeId = useId()
  const inputId = id ?? madeId
  const errorId = `${inputId}-error`
  return (
    <div className={className}>
      <label htmlFor={inputId} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          id={inputId}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          className={`block h-11 w-full rounded border bg-surface px-3 text-base text-ink placeholder:text-muted ${
            error === undefined ? 'border-edge' : 'border-error'
          } ${end === undefined ? '' : 'pr-12'}`}
          {...rest}
          onChange={(event) => {
            if (!exact) tidy(event.currentTarget)
            onChange?.(event)
          }}
        />
        {end === undefined ? null : <div className="absolute inset-y-0 right-0.5 flex items-center">{end}</div>}
      </div>
      {error === undefined ? null : (
        <p id={errorId} className="mt-1.5 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Normalises the text (specification 5). The value is set only if it differs, because setting it moves the caret. */
function tidy(field: HTMLInputElement): void {
  const text = normalizeText(field.value)
  if (text !== field.value) field.value = text
}
