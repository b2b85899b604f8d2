import type { ComponentProps } from 'react'

export const ICON_BUTTON_LOOK =
  'relative inline-flex size-10 shrink-0 items-center justify-center rounded text-ink transition-colors duration-150 ease-calm hover:bg-sunken disabled:opacity-55'

/** Renders a button with an icon. `label` is both the accessible name and the tooltip. */
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
