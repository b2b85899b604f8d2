import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

type SelectBoxProps = ComponentProps<'select'> & {
  label: string
  labelShown?: boolean
}

export function SelectBox({ label, labelShown = false, className = '', ...select }: SelectBoxProps) {
  return (
    <label className={`relative ${className}`}>
      <span className={labelShown ? 'mb-1.5 block text-sm font-medium' : 'sr-only'}>{label}</span>
      <span className="relative block">
        <select
          className={`w-full appearance-none truncate rounded border border-edge bg-paper pr-8 pl-3 text-ink *:bg-surface *:text-ink ${labelShown ? 'min-h-11' : 'min-h-10'}`}
          {...select}
        />
        <ChevronDown
          size={16}
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </span>
    </label>
  )
}
