import { redirectPath } from './redirect-path.ts'

const KEY = 'sign-in-redirect'

/** Keeps in this tab where a person wanted to go, while they are away at a social service. */
export function rememberRedirect(path: string | undefined): void {
  const wanted = redirectPath(path)
  if (wanted === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, wanted)
}

/** What was kept, once. */
export function takeRememberedRedirect(): string | null {
  const wanted = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return redirectPath(wanted)
}
