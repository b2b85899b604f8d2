import type { ComponentProps, MouseEvent } from 'react'
import { createPath, resolvePath, type To } from 'react-router'
import { inBackground } from '#web/house/in-background.ts'
import { useLocation, usePages } from './use-page.ts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  to: To
  state?: unknown
  replace?: boolean
  preventScrollReset?: boolean
}

/** Renders a link within the site. A plain press loads no document. The browser handles presses with Ctrl etc. */
export function Link({ to, state, replace = false, preventScrollReset, onClick, ...rest }: LinkProps) {
  const pages = usePages()
  const here = useLocation()
  const path = createPath(resolvePath(to, here.pathname))
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainPress(event)) return
    event.preventDefault()
    // Like in browsers, a link to the current page adds no history entry.
    inBackground(pages.go(to, { state, replace: replace || path === createPath(here), preventScrollReset }))
  }
  return <a {...rest} href={path} onClick={follow} />
}

function isPlainPress({ button, altKey, ctrlKey, metaKey, shiftKey, currentTarget }: MouseEvent<HTMLAnchorElement>) {
  const inOtherTab = currentTarget.target !== '' && currentTarget.target !== '_self'
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey && !inOtherTab
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  end?: boolean
  className: (state: { isActive: boolean }) => string
}

export function NavLink({ end = false, className, ...link }: NavLinkProps) {
  const here = useLocation().pathname
  const { pathname } = resolvePath(link.to, here)
  const isActive = here === pathname || (!end && here.startsWith(pathname === '/' ? '/' : `${pathname}/`))
  return <Link {...link} className={className({ isActive })} aria-current={isActive ? 'page' : undefined} />
}
