import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SESSION_REFRESH_MS } from '#contract/constants.ts'
import { useFrame, useSession } from '../frame.ts'
import { redirectPath } from './redirect-path.ts'

/** What the session needs all the time, whatever screen is open. Renders nothing. */
export function SessionKeeper() {
  useSessionRefresh()
  useLoginQuery()
  return null
}

/** The user again every minute and when the window is looked at: a session that ended elsewhere ends here too. */
function useSessionRefresh(): void {
  const { api } = useFrame()
  const { status, signedIn } = useSession()
  const queryClient = useQueryClient()
  useQuery({
    queryKey: ['user'],
    queryFn: ({ signal }) => api('GET /api/user', {}, { signal }),
    enabled: signedIn,
    refetchInterval: SESSION_REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })
  // The library looks when the tab is shown; a window that comes to the front counts as well.
  useEffect(() => {
    if (!signedIn) return
    const refresh = () => void queryClient.refetchQueries({ queryKey: ['user'] }, { cancelRefetch: false })
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [signedIn, queryClient])
  // The page came with only the refresh token still good: any call brings the bearer token, this is the first.
  useEffect(() => {
    if (status === 'loading') void queryClient.refetchQueries({ queryKey: ['user'] })
  }, [status, queryClient])
}

/** `/?login=1`: the query goes, the login dialog opens, and the wanted path is remembered in it. */
function useLoginQuery(): void {
  const { dialogs, session } = useFrame()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    const query = new URLSearchParams(search)
    if (pathname !== '/' || query.get('login') !== '1') return
    const redirect = redirectPath(query.get('redirect'))
    query.delete('login')
    query.delete('redirect')
    const signedIn = session.get().status !== 'unauthenticated'
    if (!signedIn) dialogs.open('login', redirect === null ? {} : { redirect })
    const here = { pathname, search: query.toString() }
    void navigate(signedIn && redirect !== null ? redirect : here, { replace: true })
  }, [dialogs, session, navigate, pathname, search])
}
