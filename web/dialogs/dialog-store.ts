import { createStore, type Store } from '../store.ts'

/** What each dialog that exists is opened with, by the specification's name of its flag. */
export type DialogProps = {
  login: { redirect?: string }
  activation: { id: number }
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
  /** Asks; true when confirmed. A question still open is answered with no. */
  confirm(question: Pick<Confirmation, 'text' | 'action'>): Promise<boolean>
}

export function createDialogStore(): DialogStore {
  const state = createStore<DialogState>({ flags: {}, confirmation: null })
  return {
    state,
    open: (name, props) => state.set({ ...state.get(), flags: { ...state.get().flags, [name]: props } }),
    close: (name) => {
      const { [name]: _closed, ...flags } = state.get().flags
      state.set({ ...state.get(), flags })
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
