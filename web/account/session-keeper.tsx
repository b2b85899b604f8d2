import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAppContext, useDialogs, useSession } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'
import { useLocation, useNavigate } from '#web/navigation/use-page.ts'
import { keepSessionFresh } from '#web/session/session-refresh.ts'
import { useLanding } from './use-landing.ts'

export function SessionKeeper() {
  useSessionRefresh()
  useLoginQuery()
  useLanding()
  return null
}

function useSessionRefresh(): void {
  const app = useAppContext()
  const { status, signedIn } = useSession()
  const queryClient = useQueryClient()
  useQuery({
    queryKey: ['user'],
    queryFn: ({ signal }) => app.api('GET /api/user', {}, { signal }),
    enabled: signedIn,
  })
  useEffect(() => (signedIn ? keepSessionFresh(app) : undefined), [signedIn, app])
  // The page came with only a refresh token. The user query, like any API call, obtains an access token.
  useEffect(() => {
    if (status === 'loading') inBackground(queryClient.refetchQueries({ queryKey: ['user'] }))
  }, [status, queryClient])
}

/** Opens the login dialog for `/?login=1&redirect=…` with the path to open afterwards, and removes the parameters. */
function useLoginQuery(): void {
  const { session } = useAppContext()
  const { open } = useDialogs()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    const query = new URLSearchParams(search)
    if (pathname !== '/' || query.get('login') !== '1') return
    const redirect = redirectPath(query.get('redirect'))
    query.delete('login')
    query.delete('redirect')
    const signedIn = session.get().status !== 'unauthenticated'
    // `useDialogs` tells signed-in users that they are signed in, unless a path to open is given.
    if (!signedIn || redirect === null) open('login', redirect === null ? {} : { redirect })
    const here = { pathname, search: query.toString() }
    inBackground(navigate(signedIn && redirect !== null ? redirect : here, { replace: true }))
  }, [open, session, navigate, pathname, search])
}
