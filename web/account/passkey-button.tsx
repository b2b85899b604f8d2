import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Assertion, PasskeyPurpose } from '#contract/passkeys/passkeys.ts'
import { useApi } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { passkeyObstacle, showPasskey } from './passkeys.ts'

type PasskeyButtonProps = {
  purpose: PasskeyPurpose
  label: string
  onShown: (assertion: Assertion) => Promise<void>
  className?: string
}

/** Renders a passkey button if the browser has passkeys. Use it only in dialogs, which the server never renders. */
export function PasskeyButton({ purpose, label, onShown, className = '' }: PasskeyButtonProps) {
  const api = useApi()
  const fail = useFailure()
  const busy = useRef(false)
  const [pending, setPending] = useState(false)
  if (passkeyObstacle() !== null) return null

  async function show(): Promise<void> {
    if (busy.current) return
    busy.current = true
    setPending(true)
    try {
      const assertion = await showPasskey(await api('POST /api/v1/passkeys/begin', { purpose }))
      if (assertion !== null) await onShown(assertion)
    } catch (error) {
      fail(error)
    } finally {
      busy.current = false
      setPending(false)
    }
  }
  return (
    <Button className={className} aria-disabled={pending} aria-busy={pending} onClick={() => inBackground(show())}>
      <KeyRound size={18} aria-hidden />
      {label}
    </Button>
  )
}
