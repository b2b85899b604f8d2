import { redirectPath } from '#web/navigation/redirect-path.ts'

const KEY = 'sign-in-redirect'

/** Stores in this tab the path to open after the sign-in, because a social provider's page comes first. */
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
