import { SelectBox } from '#web/ui/fields/initial/select-box.tsx'

type SelectFilterProps<Value extends string> = {
  label: string
  /** A null value means that all options are chosen. */
  value: Value | null
  all: string
  options: readonly { value: Value; text: string }[]
  onChoose: (value: Value | null) => void
  className?: string
}

export function SelectFilter<Value extends string>(props: SelectFilterProps<Value>) {
  const { label, value, all, options, onChoose, className = '' } = props
  return (
    <SelectBox
      label={label}
      className={className}
      value={value ?? ''}
      onChange={(event) => onChoose(options.find((option) => option.value === event.target.value)?.value ?? null)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </SelectBox>
  )
}
