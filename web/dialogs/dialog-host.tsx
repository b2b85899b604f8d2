import { lazy, Suspense } from 'react'
import { useFrame } from '../frame.ts'
import { useStore } from '../store.ts'
import { WithAllTexts } from '../text/complete-texts.tsx'

// Dialogs are not part of the first load: each comes when it is first opened.
const LoginDialog = lazy(async () => ({ default: (await import('./login-dialog.tsx')).LoginDialog }))
const RegistrationDialog = lazy(async () => ({
  default: (await import('./registration-dialog.tsx')).RegistrationDialog,
}))
const VerifyEmailDialog = lazy(async () => ({ default: (await import('./verify-email-dialog.tsx')).VerifyEmailDialog }))
const TwoFactorDialog = lazy(async () => ({ default: (await import('./two-factor-dialog.tsx')).TwoFactorDialog }))
const IdentityDialog = lazy(async () => ({ default: (await import('./identity-dialog.tsx')).IdentityDialog }))
const ForgotDialog = lazy(async () => ({ default: (await import('./forgot-dialog.tsx')).ForgotDialog }))
const RecoveryDialog = lazy(async () => ({ default: (await import('./recovery-dialog.tsx')).RecoveryDialog }))
const RewardDialog = lazy(async () => ({ default: (await import('./reward-dialog.tsx')).RewardDialog }))
const LoaderDialog = lazy(async () => ({ default: (await import('./loader-dialog.tsx')).LoaderDialog }))
const ActivationDialog = lazy(async () => ({ default: (await import('./activation-dialog.tsx')).ActivationDialog }))
const ExtendDialog = lazy(async () => ({ default: (await import('./extend-dialog.tsx')).ExtendDialog }))
const FastNumberDialog = lazy(async () => ({ default: (await import('./fast-number-dialog.tsx')).FastNumberDialog }))
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Shows every dialog whose flag is set. */
export function DialogHost() {
  const { flags, confirmation } = useStore(useFrame().dialogs.state)
  if (Object.keys(flags).length === 0 && confirmation === null) return null
  return (
    <WithAllTexts>
      <Suspense fallback={null}>
        {flags.login === undefined ? null : <LoginDialog {...flags.login} />}
        {flags.registration === undefined ? null : <RegistrationDialog {...flags.registration} />}
        {flags.verifyEmail === undefined ? null : <VerifyEmailDialog {...flags.verifyEmail} />}
        {flags.faCode === undefined ? null : <TwoFactorDialog {...flags.faCode} />}
        {flags.is2fa === undefined ? null : <IdentityDialog {...flags.is2fa} />}
        {flags.forgot === undefined ? null : <ForgotDialog {...flags.forgot} />}
        {flags.recovery === undefined ? null : <RecoveryDialog {...flags.recovery} />}
        {flags.reward === undefined ? null : <RewardDialog />}
        {flags.fastNumber === undefined ? null : <FastNumberDialog />}
        {flags.loader === undefined ? null : <LoaderDialog {...flags.loader} />}
        {flags.activation === undefined ? null : <ActivationDialog {...flags.activation} />}
        {flags.extend === undefined ? null : <ExtendDialog {...flags.extend} />}
        {confirmation === null ? null : <ConfirmDialog confirmation={confirmation} />}
      </Suspense>
    </WithAllTexts>
  )
}
