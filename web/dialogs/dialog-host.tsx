import { lazy, Suspense, useEffect } from 'react'
import { type AppContext, useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { savesData } from '#web/navigation/link-preloads.ts'
import { useStore } from '#web/store.ts'
import { WithAllTexts } from '#web/text/complete-texts.tsx'
import { loadMessages } from '#web/text/messages.ts'

// Each dialog's code is loaded on its first opening.
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

/** Shown at once, while the dialog's code is loading. */
const ON_ITS_WAY = <div className="veil pointer-events-none fixed inset-0 z-50" aria-busy="true" />

const TOUCHES = ['pointerover', 'touchstart', 'focusin'] as const

/** A visitor's first press mostly opens registration or sign-in, so their code is preloaded on the first touch. */
function fetchWhenTouched({ session, language }: AppContext): () => void {
  const stop = () => {
    for (const name of TOUCHES) removeEventListener(name, touched)
  }
  const touched = () => {
    stop()
    if (session.get().status !== 'unauthenticated' || savesData()) return
    inBackground(loadMessages(language.get().locale, 'all'))
    inBackground(import('./registration-dialog.tsx'))
    inBackground(import('./login-dialog.tsx'))
  }
  for (const name of TOUCHES) addEventListener(name, touched, { passive: true })
  return stop
}

/** Clears a dialog's errors when another opens. Synchronous, because the next dialog may add its own at once. */
function followDialogs({ alerts, dialogs }: AppContext): () => void {
  let { flags } = dialogs.state.get()
  return dialogs.state.subscribe(() => {
    const { flags: now } = dialogs.state.get()
    if (now !== flags) alerts.clearErrors()
    flags = now
  })
}

export function DialogHost() {
  const app = useAppContext()
  const { flags, confirmation } = useStore(app.dialogs.state)
  useEffect(() => followDialogs(app), [app])
  useEffect(() => fetchWhenTouched(app), [app])
  if (Object.keys(flags).length === 0 && confirmation === null) return null
  return (
    <WithAllTexts place={ON_ITS_WAY}>
      <Suspense fallback={ON_ITS_WAY}>
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
