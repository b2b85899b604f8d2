import { lazy, Suspense } from 'react'
import { useFrame } from '../frame.ts'
import { useStore } from '../store.ts'

// Dialogs are not part of the first load: each comes when it is first opened.
const LoginDialog = lazy(async () => ({ default: (await import('./login-dialog.tsx')).LoginDialog }))
const ActivationDialog = lazy(async () => ({ default: (await import('./activation-dialog.tsx')).ActivationDialog }))
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Shows every dialog whose flag is set. */
export function DialogHost() {
  const { flags, confirmation } = useStore(useFrame().dialogs.state)
  return (
    <Suspense fallback={null}>
      {flags.login === undefined ? null : <LoginDialog redirect={flags.login.redirect} />}
      {flags.activation === undefined ? null : <ActivationDialog id={flags.activation.id} />}
      {confirmation === null ? null : <ConfirmDialog confirmation={confirmation} />}
    </Suspense>
  )
}
