import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../components/dialog.tsx'
import { EmailCode } from '../components/email-code.tsx'
import { useFrame } from '../frame.ts'
import { useEmailProof } from '../session/use-email-proof.ts'
import type { DialogProps } from './dialog-store.ts'

/** The code of an address that was registered and not proved yet. */
export function VerifyEmailDialog({ email, redirect }: DialogProps['verifyEmail']) {
  const t = useTranslations('verifyEmail')
  const { dialogs } = useFrame()
  const first = useRef<HTMLInputElement>(null)
  const proof = useEmailProof(email, redirect)
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('verifyEmail')} initialFocus={first}>
      <EmailCode key={email} email={email} ref={first} {...proof} />
    </Dialog>
  )
}
