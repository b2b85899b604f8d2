import { QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import { useTranslations } from 'use-intl'
import type { Api, PageSession } from '#contract/calls/calls.ts'
import type { Theme } from '#contract/page-request.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { SiteSettings, User } from '#contract/user.ts'
import type { Messages } from '#web/locales/messages.ts'
import type { PageData } from './page-data.ts'
import { type AlertStore, createAlertStore } from './stores/alert-store.ts'
import { createDialogStore, type DialogName, type DialogProps, type DialogStore } from './stores/dialog-store.ts'
import { createFaults, type Faults } from './stores/faults.ts'
import { createLiveStore, type LiveStore } from './stores/live-store.ts'
import { createServerClock, type ServerClock } from './stores/server-clock.ts'
import { createSessionTabs, type SessionTabs } from './stores/session-tabs.ts'
import { createStore, type Store, useStore } from './stores/store.ts'
import type { Thing } from './structured-data.ts'

/** In `loading` the user is signed in, but the access token is still being fetched. */
export type SessionState = { status: PageSession['status'] | 'loading'; token: string | null }

/** The server makes one context per rendering, and the browser one per page. */
export type AppContext = {
  api: Api
  page: PageData
  queryClient: QueryClient
  session: Store<SessionState>
  tabs: SessionTabs
  language: Store<{ locale: InterfaceLocale; messages: Messages }>
  theme: Store<Theme>
  alerts: AlertStore
  dialogs: DialogStore
  live: LiveStore
  clock: ServerClock
  faults: Faults
  newBuild: Store<boolean>
  structured: Thing[]
}

export function createAppContext(input: { page: PageData; messages: Messages; api: Api; faults?: Faults }): AppContext {
  const { page } = input
  const queryClient = new QueryClient({
    // Queries do not retry, because the API client has retried already. web/session/use-failure.ts handles failures.
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  })
  if (page.session.user !== null) queryClient.setQueryData(['user'], page.session.user)
  const signedIn = page.session.status === 'authenticated'
  return {
    api: input.api,
    page,
    queryClient,
    session: createStore<SessionState>({
      status: signedIn && page.session.token === null ? 'loading' : page.session.status,
      token: page.session.token,
    }),
    tabs: createSessionTabs(),
    language: createStore({ locale: page.locale, messages: input.messages }),
    theme: createStore(page.theme),
    alerts: createAlertStore(),
    dialogs: createDialogStore(),
    live: createLiveStore(),
    clock: createServerClock(page.now),
    faults: input.faults ?? createFaults(),
    newBuild: createStore(false),
    structured: [],
  }
}

export const ReactAppContext = createContext<AppContext | null>(null)

export function useAppContext(): AppContext {
  const app = useContext(ReactAppContext)
  if (app === null) throw new Error('a component was rendered outside the app')
  return app
}

export function useApi(): Api {
  return useAppContext().api
}

export function useSession(): SessionState & { signedIn: boolean } {
  const state = useStore(useAppContext().session)
  return { ...state, signedIn: state.status !== 'unauthenticated' }
}

export function userIdOf({ queryClient }: Pick<AppContext, 'queryClient'>): number | undefined {
  return queryClient.getQueryData<User>(['user'])?.id
}

/** Returns the user; null for a visitor or until loaded. Live events and purchases update it in the query cache. */
export function useUser(): User | null {
  const api = useApi()
  const { status, signedIn } = useSession()
  const { data } = useQuery({
    queryKey: ['user'],
    queryFn: ({ signal }) => api('GET /api/user', {}, { signal }),
    enabled: status === 'authenticated',
  })
  return signedIn ? (data ?? null) : null
}

export function useSettings(): SiteSettings {
  return useQuery(settingsQuery(useAppContext())).data
}

/** Returns the settings query. Settings stay fresh until a sign-in or sign-out, as some depend on the user. */
export function settingsQuery({ api, page }: Pick<AppContext, 'api' | 'page'>) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => api('GET /api/content/settings', {}, { signal }),
    initialData: page.settings,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useAlerts(): AlertStore {
  return useAppContext().alerts
}

export function useDialogs(): Pick<DialogStore, 'open' | 'close'> {
  const { alerts, dialogs, session } = useAppContext()
  const t = useTranslations('layout')
  const open = useCallback(
    <Name extends DialogName>(name: Name, props: DialogProps[Name]) => {
      if ((name === 'login' || name === 'registration') && session.get().status !== 'unauthenticated') {
        alerts.add({ type: 'info', text: t('alreadyAuthorized') })
        return
      }
      dialogs.open(name, props)
    },
    [alerts, dialogs, session, t],
  )
  return { open, close: dialogs.close }
}

export type Question = { text: string; action: string /** `force` asks despite the user's setting. */; force?: boolean }

/** Returns a function that asks a question if the settings or the caller require it; true means to continue. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { dialogs } = useAppContext()
  const queryClient = useQueryClient()
  return useCallback(
    ({ force, ...question }: Question) => {
      const wanted = queryClient.getQueryData<User>(['user'])?.settings.confirmation_actions === true
      return wanted || force === true ? dialogs.confirm(question) : Promise.resolve(true)
    },
    [dialogs, queryClient],
  )
}
