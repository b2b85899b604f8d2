import type { User } from '#contract/user.ts'
import { redirectPath } from '#web/account/redirect-path.ts'
import type { Frame } from '#web/frame.ts'
import { inBackground } from '#web/in-background.ts'
import type { Pages } from '#web/navigation/pages.ts'
import { beginLeaving, endSession, takeRenewal, takeSession } from './session-life.ts'
import type { SessionNews } from './session-tabs.ts'

type Way = Pick<Pages, 'go' | 'reload' | 'get' | 'next'>

/** A 401 that no refresh could cure: out, home, and back to this page after the sign-in. The other tabs do the same. */
export function expireSession(frame: Frame, pages: Way): void {
  // Asked for before the sign-out, answered after it.
  if (frame.session.get().status === 'unauthenticated') return
  leaveToLogin(frame, pages)
  frame.tabs.tell({ kind: 'signed-out', expired: true })
}

/** What another tab did to the session happens here too. */
export function heedNews(frame: Frame, pages: Way, news: SessionNews): void {
  const signedIn = frame.session.get().status !== 'unauthenticated'
  switch (news.kind) {
    case 'signed-in': {
      const { login, registration } = frame.dialogs.state.get().flags
      const wanted = redirectPath(login?.redirect ?? registration?.redirect)
      takeSession(frame, news)
      inBackground(wanted === null ? pages.reload() : pages.go(wanted))
      return
    }
    case 'renewed':
      if (takeRenewal(frame, news)) inBackground(pages.reload())
      return
    case 'user':
      if (signedIn && frame.queryClient.getQueryData<User>(['user'])?.id === news.user.id)
        frame.queryClient.setQueryData(['user'], news.user)
      return
    case 'leaving':
      beginLeaving(frame)
      return
    case 'signed-out':
      if (!signedIn) return
      if (news.expired) {
        leaveToLogin(frame, pages)
        return
      }
      endSession(frame)
      inBackground(pages.get().location.pathname === '/' ? pages.reload() : pages.go('/'))
      return
    default:
      news satisfies never
  }
}

function leaveToLogin(frame: Frame, pages: Way): void {
  const { pathname, search } = pages.next.get() ?? pages.get().location
  const here = pathname + search
  endSession(frame)
  inBackground(pages.go('/'))
  frame.dialogs.open('login', here === '/' ? {} : { redirect: here })
}
