import type { Path } from 'react-router'
import { PROVIDERS, type Provider } from '#contract/account-constants.ts'
import { CallError } from '#contract/calls/calls.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { logFailure } from '#web/house/log-failure.ts'
import type { Pages } from '#web/navigation/pages.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'
import { clearCookie, readCookie } from '#web/session/cookie.ts'
import { originHeaders, rememberCampaign, rememberReferral } from '#web/session/origin.ts'
import { beginSession, leave, signOut, stay } from '#web/session/session-life.ts'
import { takeRememberedRedirect } from './remembered-redirect.ts'
import { takeWanted } from './wanted-number.ts'

export type LandingTools = { app: AppContext; navigate: Pages['go']; fail: (error: unknown) => void }

const CALLBACK = /^\/auth\/([^/]+)\/(link-)?callback\/?$/

/** Handles the URL by which a visitor arrived. First removes its tokens from the address bar and the history. */
export async function handleLandingAddress(tools: LandingTools, address: Path): Promise<void> {
  const query = new URLSearchParams(address.search)
  const [, service, link] = CALLBACK.exec(address.pathname) ?? []
  if (service !== undefined) {
    await answerOfService(tools, { service, query, purpose: link === undefined ? 'signIn' : 'link' })
  } else if (address.pathname.startsWith('/check/reset-password')) {
    await goHome(tools)
    const [email, token] = [query.get('email'), query.get('token')]
    if (email !== null && token !== null) tools.app.dialogs.open('recovery', { email, token })
  } else {
    await comeByLink(tools, address, query)
  }
}

async function goHome({ navigate }: LandingTools): Promise<void> {
  history.replaceState(history.state, '', '/')
  await navigate('/', { replace: true })
}

type ServiceAnswer = { service: string; query: URLSearchParams; purpose: 'signIn' | 'link' }

async function answerOfService(tools: LandingTools, { service, query, purpose }: ServiceAnswer): Promise<void> {
  const { app, fail } = tools
  const provider = PROVIDERS.find((each) => each === service)
  if (provider !== undefined) app.dialogs.open('loader', { purpose })
  try {
    // The navigation completes first, because a pending call of the previous user must not run during the sign-out.
    await goHome(tools)
    if (provider === undefined) return
    await (purpose === 'link' ? linkBy(tools, provider, query) : signInBy(tools, provider, query))
  } catch (error) {
    // The loader dialog closes before the failure is shown, because a closing dialog removes its errors from the page.
    app.dialogs.close('loader')
    fail(error)
  } finally {
    app.dialogs.close('loader')
  }
}

/**
 * The server checks the provider's redirect before it ends the previous session, so a forged link signs nobody out. If
 * the account needs a two-factor code, the browser signs the previous user out before it asks for the code.
 */
async function signInBy({ app, navigate }: LandingTools, provider: Provider, query: URLSearchParams): Promise<void> {
  const { api, dialogs, session } = app
  const redirect = takeRememberedRedirect() ?? redirectPath(takeWanted()) ?? undefined
  const replaces = session.get().status !== 'unauthenticated'
  if (replaces) await leave(app)
  try {
    const input = { ...Object.fromEntries(query), service: provider }
    const reply = await api('GET /api/auth/{service}/callback', input, { headers: originHeaders() })
    beginSession(app, reply)
  } catch (error) {
    if (replaces) stay(app)
    const { action, pending_token: pending, passkey } = error instanceof CallError ? error.data : {}
    if (action !== 'need-2fa-code' || typeof pending !== 'string') throw error
    if (replaces) await signOut(app)
    dialogs.open('faCode', { firstFactor: { pending_token: pending }, redirect, passkey: passkey === true })
    return
  }
  await navigate(redirect ?? '/', { replace: true })
}

async function linkBy({ app }: LandingTools, provider: Provider, query: URLSearchParams): Promise<void> {
  const { api, dialogs, queryClient, session } = app
  if (session.get().status === 'unauthenticated') {
    dialogs.open('login', {})
    return
  }
  await api('GET /api/auth/{service}/link-callback', { ...Object.fromEntries(query), service: provider })
  if (readCookie('reward') !== null) {
    clearCookie('reward')
    dialogs.open('reward', {})
  }
  await queryClient.refetchQueries({ queryKey: ['user'] })
}

/** Handles the query parameters `ref` and `utm_*`. All other parameters stay, because they belong to the page. */
async function comeByLink({ app, navigate }: LandingTools, address: Path, query: URLSearchParams): Promise<void> {
  const { api, dialogs, session } = app
  const isVisitor = () => session.get().status === 'unauthenticated'
  const referral = query.get('ref')
  const campaign = rememberCampaign(query)
  const rest = [...query].filter(([name]) => name !== 'ref' && !name.startsWith('utm_'))
  await navigate({ ...address, search: new URLSearchParams(rest).toString() }, { replace: true })
  if (referral !== null && isVisitor()) {
    rememberReferral(referral)
    dialogs.open('registration', {})
  }
  if (campaign === null) return
  try {
    const { action } = await api('GET /api/marketing-action', { 'utm-data': campaign })
    if (!isVisitor() || Object.keys(dialogs.state.get().flags).length > 0) return
    if (action === 'show-login-modal') dialogs.open('login', {})
    if (action === 'show-register-modal') dialogs.open('registration', {})
  } catch (error) {
    // The failure is only logged, because the page is complete without the marketing action.
    logFailure('the marketing action could not be asked for', error)
  }
}
