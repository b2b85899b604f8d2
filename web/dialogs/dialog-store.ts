import type { NumberKindName } from '#web/live/numbers-cache.ts'
import { createStore, type Store } from '#web/store.ts'

/** Where to go after the sign-in; without it the person stays where they are. */
type Onward = { redirect?: string | undefined }

/** What a sign-in that waits for its second factor began with: it is repeated with the code. */
export type FirstFactor = { email: string; password: string } | { pending_token: string }

/** How somebody who is signed in shows once more who he is. */
export type IdentityProof = 'password' | 'two-factor' | 'sign-in'

/** What each dialog that exists is opened with, by the specification's name of its flag. */
export type DialogProps = {
  login: Onward & { email?: string }
  registration: Onward & { email?: string }
  /** The code of an address that was registered and not proved. */
  verifyEmail: Onward & { email: string }
  /** The two-factor code. */
  faCode: Onward & { firstFactor: FirstFactor }
  /** Somebody who is signed in shows that it is he, before a change of how he signs in. */
  is2fa: { by: IdentityProof; answer: (shown: boolean) => void }
  /** Asks for the link of a new password; `recovery` is what that link opens. */
  forgot: Onward & { email?: string }
  recovery: { email: string; token: string }
  reward: object
  /** What can be bought again by one press. */
  fastNumber: object
  /** Stands over everything while a social service's answer is worked on. */
  loader: { purpose: 'signIn' | 'link' }
  /** The messages of one number. */
  activation: { kind: NumberKindName; id: number }
  /** For how long, and for how much, a rental can go on. */
  extend: { id: number }
}
export type DialogName = keyof DialogProps

export type Confirmation = {
  text: string
  /** The words of the button that confirms. */
  action: string
  answer: (confirmed: boolean) => void
}

export type DialogState = {
  flags: { readonly [Name in DialogName]?: DialogProps[Name] }
  confirmation: Confirmation | null
}

export type DialogStore = {
  state: Store<DialogState>
  open<Name extends DialogName>(name: Name, props: DialogProps[Name]): void
  close(name: DialogName): void
  /** One dialog leads to another. */
  replace<Name extends DialogName>(closed: DialogName, name: Name, props: DialogProps[Name]): void
  /** Asks; true when confirmed. A question still open is answered with no. */
  confirm(question: Pick<Confirmation, 'text' | 'action'>): Promise<boolean>
  /** Has the person show who he is; true when he has. Whoever asks meanwhile gets the same answer. */
  proveIdentity(by: IdentityProof): Promise<boolean>
}

export function createDialogStore(): DialogStore {
  let proving: Promise<boolean> | null = null
  const state = createStore<DialogState>({ flags: {}, confirmation: null })
  const without = (name: DialogName) => {
    const { [name]: _closed, ...flags } = state.get().flags
    return flags
  }
  return {
    state,
    open: (name, props) => state.set({ ...state.get(), flags: { ...state.get().flags, [name]: props } }),
    close: (name) => {
      if (state.get().flags[name] !== undefined) state.set({ ...state.get(), flags: without(name) })
    },
    replace: (closed, name, props) => state.set({ ...state.get(), flags: { ...without(closed), [name]: props } }),
    proveIdentity: (by) => {
      proving ??= new Promise((resolve) => {
        const answer = (shown: boolean) => {
          proving = null
          state.set({ ...state.get(), flags: without('is2fa') })
          resolve(shown)
        }
        state.set({ ...state.get(), flags: { ...state.get().flags, is2fa: { by, answer } } })
      })
      return proving
    },
    confirm: (question) => {
      state.get().confirmation?.answer(false)
      return new Promise((resolve) => {
        const answer = (confirmed: boolean) => {
          state.set({ ...state.get(), confirmation: null })
          resolve(confirmed)
        }
        state.set({ ...state.get(), confirmation: { ...question, answer } })
      })
    },
  }
}
