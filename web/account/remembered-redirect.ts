import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'sign-in-redirect'

/** Stores the path that the user wanted, for this tab and for the time of a visit to a social provider. */
export function rememberRedirect(path: string | undefined): void {
  const wanted = redirectPath(path)
  if (wanted === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, wanted)
}

export function takeRememberedRedirect(): string | null {
  const wanted = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return redirectPath(wanted)
}
