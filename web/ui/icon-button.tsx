import type { ComponentProps } from 'react'

/** The classes of a 40 px square with one icon, for links that look like one. */
export const ICON_BUTTON_LOOK =
  'relative inline-flex size-10 shrink-0 items-center justify-center rounded text-ink transition-colors duration-150 ease-calm hover:bg-sunken disabled:opacity-55'

/** A button that is only an icon: `label` is its name for those who cannot see it, and its tip for those who can. */
export function IconButton({
  label,
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button type={type} aria-label={label} title={label} className={`${ICON_BUTTON_LOOK} ${className}`} {...rest} />
  )
}
