import type { ComponentProps, ReactNode } from 'react'

type ChoicesProps = { legend: string; error?: string | undefined; children: ReactNode }

export function Choices({ legend, error, children }: ChoicesProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {children}
      <div role="alert">{error === undefined ? null : <p className="text-sm text-error">{error}</p>}</div>
    </fieldset>
  )
}

type ChoiceProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  type: 'checkbox' | 'radio'
  label: string
  text?: string
}

export function Choice({ label, text, ...input }: ChoiceProps) {
  const isTall = text !== undefined
  return (
    <label className={`flex min-h-10 gap-3 ${isTall ? 'items-start py-1.5' : 'items-center'}`}>
      <input {...input} className={`size-5 shrink-0 accent-(--signal-fill) ${isTall ? 'mt-0.5' : ''}`} />
      <span>
        {label}
        {isTall ? <span className="block text-sm text-muted">{text}</span> : null}
      </span>
    </label>
  )
}
