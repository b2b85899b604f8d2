import { useCallback, useEffect, useRef, useState } from 'react'
import { inBackground } from '#web/house/in-background.ts'
import { logFailure } from '#web/house/log-failure.ts'
import { createStore } from '#web/house/stores/store.ts'

const COPIED_SHOWN_MS = 2_000

/** The last text that this page copied to the clipboard, or that the browser refused to copy. */
export const clipboard = createStore<{ text: string; done: boolean } | null>(null)

/** Copies text. Returns false if the browser refuses, which is only logged (specification 8). */
export async function copyText(text: string): Promise<boolean> {
  const done = await write(text)
  clipboard.set({ text, done })
  return done
}

async function write(text: string): Promise<boolean> {
  try {
    // Only secure origins have the Clipboard API, but a site in a local network may use plain HTTP.
    if (navigator.clipboard === undefined) return (await import('#web/ui/copy-by-selection.ts')).copyBySelection(text)
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    logFailure('the clipboard could not be written', error)
    return false
  }
}

export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = useCallback(() => {
    inBackground(
      copyText(text).then((done) => {
        setCopied(done)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
      }),
    )
  }, [text])
  return { copied, copy }
}
