import { createStore, type Store } from './store.ts'

type Onward = { redirect?: string | undefined }

/** The input of a sign-in's first step, sent again with the two-factor code. */
export type FirstFactor = { email: string; password: string } | { pending_token: string }

export type IdentityProof = 'password' | 'two-factor' | 'sign-in'

/** The keys are the specification's names of the dialog flags. */
export type DialogProps = {
  login: Onward & { email?: string; why?: string | undefined }
  registration: Onward & { email?: string }
  verifyEmail: Onward & { email: string }
  /** The dialog requests the two-factor code. `passkey` is true if a passkey of the person may replace the code. */
  faCode: Onward & { firstFactor: FirstFactor; passkey?: boolean }
  /** The dialog confirms the user's identity before a sensitive API call. `about` is that call's name. */
  is2fa: { by: IdentityProof; about: string; passkey: boolean; answer: (shown: boolean) => void }
  forgot: Onward & { email?: string }
  recovery: { email: string; token: string }
  reward: object
  fastNumber: object
  loader: { purpose: 'signIn' | 'link' }
  activation: { kind: 'activation' | 'rental'; id: number }
  extend: { id: number }
}
export type DialogName = keyof DialogProps

export type Confirmation = {
  text: string
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
  replace<Name extends DialogName>(closed: DialogName, name: Name, props: DialogProps[Name]): void
  /** Resolves to true if the user confirms. A new question resolves an open question to false. */
  confirm(question: Pick<Confirmation, 'text' | 'action'>): Promise<boolean>
  /** Resolves to true if the user has confirmed their identity. Concurrent callers share one dialog. */
  proveIdentity(by: IdentityProof, asked: { about: string; passkey?: boolean }): Promise<boolean>
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
    proveIdentity: (by, { about, passkey = false }) => {
      proving ??= new Promise((resolve) => {
        const answer = (shown: boolean) => {
          proving = null
          state.set({ ...state.get(), flags: without('is2fa') })
          resolve(shown)
        }
        state.set({ ...state.get(), flags: { ...state.get().flags, is2fa: { by, about, passkey, answer } } })
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
