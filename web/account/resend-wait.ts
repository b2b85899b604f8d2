import { useSyncExternalStore } from 'react'
import { RESEND_COOLDOWN_SECONDS } from '#contract/account-constants.ts'
import { SECOND } from '#contract/time.ts'
import { readCookie, setCookie } from '#web/session/cookie.ts'

/** Those that show a pause now. */
const watchers = new Set<() => void>()

/**
 * The pause before another code may be asked for, by the address it went to. Its end is kept in a cookie for as long as
 * it lasts, so that it goes on after a reload and in every tab. `begin` is called when a code was sent. What the server
 * renders has no pause: it begins in the browser.
 */
export function useResendWait(email: string): { seconds: number; begin: () => void } {
  const seconds = useSyncExternalStore(
    watchPause,
    () => secondsLeft(email),
    () => 0,
  )
  return { seconds, begin: () => beginResendWait(email) }
}

export function beginResendWait(email: string): void {
  const endsAtMs = Date.now() + RESEND_COOLDOWN_SECONDS * SECOND
  setCookie(cookieName(email), String(endsAtMs), RESEND_COOLDOWN_SECONDS)
  for (const watcher of watchers) watcher()
}

/** A code was sent less than a minute ago, nobody here knows when: the pause that is running goes on, else a whole one begins. */
export function ensureResendWait(email: string): void {
  if (secondsLeft(email) === 0) beginResendWait(email)
}

function watchPause(watcher: () => void): () => void {
  watchers.add(watcher)
  const timer = setInterval(watcher, SECOND)
  return () => {
    watchers.delete(watcher)
    clearInterval(timer)
  }
}

function secondsLeft(email: string): number {
  const endsAtMs = Number(readCookie(cookieName(email)) ?? 0)
  const left = Math.ceil((endsAtMs - Date.now()) / SECOND)
  // A clock that was set back must not make it longer than it can be.
  return left > 0 ? Math.min(left, RESEND_COOLDOWN_SECONDS) : 0
}

/** `repeat_code_{email}`, as the specification names it; what no name of a cookie may hold is escaped. */
export function cookieName(email: string): string {
  return `repeat_code_${email.toLowerCase().replace(/[^\w.!#$&'*+^`|~@-]/gu, encodeURIComponent)}`
}
