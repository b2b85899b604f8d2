import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'sign-in-redirect'

/** Stores the wanted path for this tab during a visit to a social provider. */
export function rememberRedirect(path: string | undefined): void {
  const wanted = redirectPath(path)
  if (wanted === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, wanted)
}

/** Returns the stored path and removes it. */
export function takeRememberedRedirect(): string | null {
  const wanted = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return redirectPath(wanted)
}
