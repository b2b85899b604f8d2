import { useId } from 'react'

type SwitchRowProps = {
  label: string
  text: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function SwitchRow({ label, text, checked, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex min-h-12 cursor-pointer items-center justify-between gap-6 py-3">
      <span className="min-w-0">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        <span id={`${id}-text`} className="block text-sm text-muted">
          {text}
        </span>
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-text`}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="relative h-6.5 w-11.5 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-surface before:absolute before:top-1/2 before:left-1 before:size-4 before:-translate-y-1/2 before:rounded-full before:bg-edge before:transition-transform before:duration-150 before:ease-calm checked:border-ink checked:bg-ink checked:before:translate-x-5 checked:before:bg-paper"
      />
    </label>
  )
}
