import { type Api, CallError } from '#contract/calls/calls.ts'
import type { DialogStore, IdentityProof } from '#web/dialogs/dialog-store.ts'

/** Repeats a call after the user has confirmed their identity. If they decline, the refusal is thrown on. */
export function confirmedApi(api: Api, dialogs: () => Pick<DialogStore, 'proveIdentity'>): Api {
  return async (key, input, options) => {
    try {
      return await api(key, input, options)
    } catch (error) {
      const wanted = wantedProof(error)
      if (wanted === null || !(await dialogs().proveIdentity(wanted.by, wanted.passkey))) throw error
      return api(key, input, options)
    }
  }
}

function wantedProof(error: unknown): { by: IdentityProof; passkey: boolean } | null {
  if (!(error instanceof CallError) || error.code !== 'CONFIRM_PASSWORD') return null
  const { by } = error.data
  const passkey = error.data.passkey === true
  return by === 'password' || by === 'two-factor' || by === 'sign-in' ? { by, passkey } : null
}
