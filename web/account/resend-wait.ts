import { useSyncExternalStore } from 'react'
import { RESEND_COOLDOWN_SECONDS } from '#contract/account-constants.ts'
import { SECOND } from '#contract/time.ts'
import { readCookie, setCookie } from '#web/session/cookie.ts'

const watchers = new Set<() => void>()

/** Returns the seconds until a new code may be mailed to `email`. A cookie keeps the time across reloads and tabs. */
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

/** Begins the pause between two codes for an e-mail address, unless the pause is already running. */
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
  // A device clock that was set back must not prolong the pause.
  return left > 0 ? Math.min(left, RESEND_COOLDOWN_SECONDS) : 0
}

/** Returns the cookie name `repeat_code_{email}` of the specification, with forbidden characters escaped. */
export function cookieName(email: string): string {
  return `repeat_code_${email.toLowerCase().replace(/[^\w.!#$&'*+^`|~@-]/gu, encodeURIComponent)}`
}
