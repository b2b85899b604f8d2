import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'sign-in-redirect'

/** Keeps the wanted path in this tab during a visit to a social provider. */
export function rememberRedirect(path: string | undefined): void {
  const wanted = redirectPath(path)
  if (wanted === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, wanted)
}

/** Returns the kept path and forgets it. */
export function takeRememberedRedirect(): string | null {
  const wanted = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return redirectPath(wanted)
}
