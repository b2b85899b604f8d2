import { ChevronDown } from 'lucide-react'

type SelectFilterProps<Value extends string> = {
  label: string
  /** null: all. */
  value: Value | null
  all: string
  options: readonly { value: Value; text: string }[]
  onChoose: (value: Value | null) => void
  className?: string
}

export function SelectFilter<Value extends string>(props: SelectFilterProps<Value>) {
  const { label, value, all, options, onChoose, className = '' } = props
  return (
    <label className={`relative flex ${className}`}>
      <span className="sr-only">{label}</span>
      <select
        className="panel-select w-full"
        value={value ?? ''}
        onChange={(event) => onChoose(options.find((option) => option.value === event.target.value)?.value ?? null)}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden className="select-chevron" />
    </label>
  )
}
