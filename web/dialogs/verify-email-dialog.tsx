import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import type { DialogProps } from '#web/house/stores/dialog-store.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ProveEmail } from './prove-email.tsx'

export function VerifyEmailDialog({ email, redirect }: DialogProps['verifyEmail']) {
  const t = useTranslations('verifyEmail')
  const { dialogs } = useAppContext()
  const first = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={t('title')} onClose={() => dialogs.close('verifyEmail')} initialFocus={first}>
      <ProveEmail key={email} email={email} redirect={redirect} ref={first} />
    </Dialog>
  )
}
