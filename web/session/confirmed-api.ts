import { type Api, CallError } from '#contract/calls/calls.ts'
import type { DialogStore, IdentityProof } from '#web/house/stores/dialog-store.ts'

/** Returns an API that repeats a call after the user has confirmed their identity, or else throws the refusal. */
export function confirmedApi(api: Api, dialogs: () => Pick<DialogStore, 'proveIdentity'>): Api {
  return (key, input, options) => confirmed(key, () => api(key, input, options), dialogs)
}

/** Makes a call, and again after an identity check if the server wants one. `about` names the call. */
export async function confirmed<T>(
  about: string,
  call: () => Promise<T>,
  dialogs: () => Pick<DialogStore, 'proveIdentity'>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const wanted = wantedProof(error)
    if (wanted === null || !(await dialogs().proveIdentity(wanted.by, { about, passkey: wanted.passkey }))) throw error
    return call()
  }
}

function wantedProof(error: unknown): { by: IdentityProof; passkey: boolean } | null {
  if (!(error instanceof CallError) || error.code !== 'CONFIRM_PASSWORD') return null
  const { by } = error.data
  const passkey = error.data.passkey === true
  return by === 'password' || by === 'two-factor' || by === 'sign-in' ? { by, passkey } : null
}
