import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'

/** `bought`: the number is typed. `waiting`: for the message. `code`: the code is stamped. `copied`: the ticket rests. */
export type Step = 'bought' | 'waiting' | 'code' | 'copied'

const DIGIT_MS = 70
const WAITING_MS = 2_000
const CODE_MS = 1_100
/** The part of the ticket that must be in sight before it plays. */
const SEEN = 0.5

type Play = { about: string; frame: number | null }

/**
 * Plays a ticket once when it comes into sight, and again for another pair (`about`). It stops while the tab is hidden,
 * and never moves for people who want less motion. Each frame is a digit; three more follow them.
 */
export function usePlay(place: RefObject<Element | null>, { about, digits }: { about: string; digits: number }) {
  const isSeen = useSeen(place)
  const isAwake = useSyncExternalStore(onVisibility, isPageVisible, () => true)
  const isStill = useSyncExternalStore(onMotion, wantsNoMotion, () => false)
  const last = digits + 2
  const [play, setPlay] = useState<Play>({ about, frame: null })
  const begins = isSeen && !isStill
  // The state changes without an effect, so that the code of an earlier pair never appears beside the next number.
  if (play.about !== about || (play.frame === null && begins)) setPlay({ about, frame: begins ? 0 : null })
  const { frame } = play
  const runs = frame !== null && frame < last && begins && isAwake
  useEffect(() => {
    if (!runs || frame === null) return
    const timer = setTimeout(() => setPlay({ about, frame: frame + 1 }), durationOf(frame, digits))
    return () => clearTimeout(timer)
  }, [runs, frame, about, digits])
  const shown = frame === null || isStill ? last : frame
  return {
    typed: Math.min(shown, digits),
    step: stepOf(shown, digits),
    canRepeat: !isStill && frame !== null && frame >= last,
    again: () => setPlay({ about, frame: 0 }),
  }
}

function stepOf(frame: number, digits: number): Step {
  if (frame < digits) return 'bought'
  if (frame === digits) return 'waiting'
  return frame === digits + 1 ? 'code' : 'copied'
}

function durationOf(frame: number, digits: number): number {
  if (frame < digits) return DIGIT_MS
  return frame === digits ? WAITING_MS : CODE_MS
}

function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting === true), {
      threshold: SEEN,
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return isSeen
}

const isPageVisible = () => document.visibilityState !== 'hidden'

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const MOTION = '(prefers-reduced-motion: reduce)'
const wantsNoMotion = () => matchMedia(MOTION).matches

function onMotion(listener: () => void): () => void {
  const query = matchMedia(MOTION)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
