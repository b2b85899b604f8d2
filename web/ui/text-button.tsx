import type { ComponentProps } from 'react'

/** The classes of words that can be pressed, for links within a text. */
export const TEXT_BUTTON_LOOK = 'text-signal underline underline-offset-4'

/** A button that looks like a link: the way to something beside the main thing. */
export function TextButton({ className = '', type = 'button', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type={type}
      className={`inline-flex min-h-10 items-center text-left ${TEXT_BUTTON_LOOK} ${className}`}
      {...rest}
    />
  )
}
