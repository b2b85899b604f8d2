import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { type AppContext, useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { DialogName, DialogProps, DialogStore } from '#web/house/stores/dialog-store.ts'
import { useStore } from '#web/house/stores/store.ts'
import { savesData } from '#web/navigation/saves-data.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { completeTexts, WithAllTexts } from '#web/text/complete-texts.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Loaders = { [Name in DialogName]: () => Promise<ComponentType<DialogProps[Name]>> }

// Each dialog's script loads when the dialog first opens. Later dialogs stand above earlier ones.
const LOADERS: Loaders = {
  login: async () => (await import('./login-dialog.tsx')).LoginDialog,
  registration: async () => (await import('./registration-dialog.tsx')).RegistrationDialog,
  verifyEmail: async () => (await import('./verify-email-dialog.tsx')).VerifyEmailDialog,
  faCode: async () => (await import('./two-factor-dialog.tsx')).TwoFactorDialog,
  is2fa: async () => (await import('./identity-dialog.tsx')).IdentityDialog,
  forgot: async () => (await import('./forgot-dialog.tsx')).ForgotDialog,
  recovery: async () => (await import('./recovery-dialog.tsx')).RecoveryDialog,
  reward: async () => (await import('./reward-dialog.tsx')).RewardDialog,
  fastNumber: async () => (await import('./fast-number-dialog.tsx')).FastNumberDialog,
  loader: async () => (await import('./loader-dialog.tsx')).LoaderDialog,
  activation: async () => (await import('./activation-dialog.tsx')).ActivationDialog,
  extend: async () => (await import('./extend-dialog.tsx')).ExtendDialog,
}
const NAMES = Object.keys(LOADERS) as DialogName[]
const loadConfirm = async () => (await import('./confirm-dialog.tsx')).ConfirmDialog

/** The dialogs that have loaded, by their loaders. Such a dialog renders at once, in the frame of the press. */
const loaded = new Map<unknown, unknown>()

async function loadDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const dialog = await load()
  loaded.set(load, dialog)
  return dialog
}

const ON_ITS_WAY = (
  <div className="veil pointer-events-none fixed inset-0 z-50 grid items-end sm:items-center sm:p-6" aria-busy="true">
    <div className="mx-auto w-full max-w-md rounded-t border border-hairline bg-surface p-5 shadow-raised sm:rounded sm:p-6">
      <Skeleton className="mb-6 h-7 w-40" />
      <Skeleton className="mb-4 h-12" />
      <Skeleton className="mb-4 h-12" />
      <Skeleton className="h-12" />
    </div>
  </div>
)

const TOUCHES = ['pointerover', 'touchstart', 'focusin'] as const

/** Loads registration and sign-in, which visitors open most often, as soon as the browser is idle or the user acts. */
function fetchBeforePress(app: AppContext): () => void {
  const { session } = app
  const stop = () => {
    for (const name of TOUCHES) removeEventListener(name, touched)
  }
  const touched = () => {
    stop()
    if (session.get().status !== 'unauthenticated' || savesData()) return
    inBackground(completeTexts(app))
    inBackground(loadDialog(LOADERS.registration))
    inBackground(loadDialog(LOADERS.login))
  }
  for (const name of TOUCHES) addEventListener(name, touched, { passive: true })
  // Safari has no idle callback, so only an action of the user loads the dialogs there.
  if ('requestIdleCallback' in window) requestIdleCallback(touched)
  return stop
}

/** Clears a dialog's errors as soon as another dialog opens, which may already add errors of its own. */
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
  useEffect(() => fetchBeforePress(app), [app])
  if (Object.keys(flags).length === 0 && confirmation === null) return null
  return (
    <WithAllTexts place={ON_ITS_WAY}>
      {NAMES.map((name) => {
        const props = flags[name]
        if (props === undefined) return null
        // The cast is safe, because each loader belongs to the props of the same name.
        const load = LOADERS[name] as () => Promise<ComponentType<object>>
        return <LoadedDialog key={name} load={load} props={props} onFailed={() => giveUp(app.dialogs, name)} />
      })}
      {confirmation === null ? null : (
        <LoadedDialog load={loadConfirm} props={{ confirmation }} onFailed={() => confirmation.answer(false)} />
      )}
    </WithAllTexts>
  )
}

/** Closes a dialog that failed to load. A caller that waits for the user's answer gets false. */
function giveUp(dialogs: DialogStore, name: DialogName): void {
  if (name === 'is2fa') dialogs.state.get().flags.is2fa?.answer(false)
  dialogs.close(name)
}

type LoadedDialogProps<Props extends object> = {
  load: () => Promise<ComponentType<Props>>
  props: Props
  onFailed: () => void
}

function LoadedDialog<Props extends object>({ load, props, onFailed }: LoadedDialogProps<Props>) {
  const fail = useFailure()
  const [Dialog, setDialog] = useState(() => loaded.get(load) as ComponentType<Props> | undefined)
  const refuse = useEffectEvent((error: unknown) => {
    // The dialog closes before the failure is shown, because a closing dialog removes its errors.
    onFailed()
    fail(error)
  })
  useEffect(() => {
    if (Dialog !== undefined) return
    let gone = false
    loadDialog(load).then(
      (dialog) => {
        if (!gone) setDialog(() => dialog)
      },
      (error: unknown) => {
        if (!gone) refuse(error)
      },
    )
    return () => {
      gone = true
    }
  }, [load, Dialog])
  return Dialog === undefined ? ON_ITS_WAY : <Dialog {...props} />
}
