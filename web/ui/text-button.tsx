import type { ComponentProps } from 'react'

export const TEXT_BUTTON_LOOK = 'text-signal underline underline-offset-4'

export function TextButton({ className = '', type = 'button', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type={type}
      className={`inline-flex min-h-10 items-center text-left ${TEXT_BUTTON_LOOK} ${className}`}
      {...rest}
    />
  )
}
