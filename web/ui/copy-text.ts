import { useCallback, useEffect, useRef, useState } from 'react'
import { inBackground } from '#web/in-background.ts'
import { logFailure } from '#web/log-failure.ts'

const COPIED_SHOWN_MS = 2_000

/** Puts the text on the clipboard. False when the browser does not let us, which is only logged (product.md section 8). */
export async function copyText(text: string): Promise<boolean> {
  try {
    // The clipboard exists only on secure origins; a self-hosted service may be opened by plain http in a local network.
    if (navigator.clipboard === undefined) return (await import('./copy-by-selection.ts')).copyBySelection(text)
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    logFailure('the clipboard could not be written', error)
    return false
  }
}

/** A copy function, and whether it has just copied: for the tick that answers the press. */
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
