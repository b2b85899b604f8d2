import type { ComponentProps } from 'react'

type ButtonProps = ComponentProps<'button'> & {
  kind?: 'primary' | 'plain' | 'quiet'
}

const LOOKS = {
  primary: 'bg-signal-fill text-on-signal font-semibold hover:bg-signal-press',
  plain: 'border border-edge bg-surface text-ink font-medium hover:bg-sunken',
  quiet: 'text-ink font-medium hover:bg-sunken',
} as const

const SHAPE =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded px-4 text-[15px] leading-tight select-none transition-colors duration-150 ease-calm disabled:opacity-55 aria-disabled:opacity-55'

export function buttonLook(kind: keyof typeof LOOKS = 'plain'): string {
  return `${SHAPE} ${LOOKS[kind]}`
}

export function Button({ kind = 'plain', type = 'button', className = '', ...rest }: ButtonProps) {
  return <button type={type} className={`${buttonLook(kind)} ${className}`} {...rest} />
}
