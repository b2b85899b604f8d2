import type { User } from '#contract/user.ts'
import type { AppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { SessionNews } from '#web/house/stores/session-tabs.ts'
import type { Pages } from '#web/navigation/pages.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'
import { beginLeaving, endLeaving, endSession, takeRenewal, takeSession } from './session-life.ts'

type Way = Pick<Pages, 'go' | 'reload' | 'get' | 'next'>

/** Handles a 401 that remains after a refresh. Signs out all tabs, and returns to this page after the next sign-in. */
export function expireSession(app: AppContext, pages: Way, why?: string): void {
  // The call may have begun before a sign-out that has finished since.
  if (app.session.get().status === 'unauthenticated') return
  leaveToLogin(app, pages, why)
  app.tabs.tell({ kind: 'signed-out', expired: true, why })
}

export function heedNews(app: AppContext, pages: Way, news: SessionNews): void {
  const signedIn = app.session.get().status !== 'unauthenticated'
  switch (news.kind) {
    case 'signed-in': {
      const { login, registration } = app.dialogs.state.get().flags
      const wanted = redirectPath(login?.redirect ?? registration?.redirect)
      takeSession(app, news)
      inBackground(wanted === null ? pages.reload() : pages.go(wanted))
      return
    }
    case 'renewed':
      if (takeRenewal(app, news)) inBackground(pages.reload())
      return
    case 'user':
      if (signedIn && app.queryClient.getQueryData<User>(['user'])?.id === news.user.id)
        app.queryClient.setQueryData(['user'], news.user)
      return
    case 'leaving':
      beginLeaving(app)
      return
    case 'staying':
      endLeaving(app)
      return
    case 'signed-out':
      if (!signedIn) return
      if (news.expired) {
        leaveToLogin(app, pages, news.why)
        return
      }
      endSession(app)
      inBackground(pages.get().location.pathname === '/' ? pages.reload() : pages.go('/'))
      return
    default:
      news satisfies never
  }
}

function leaveToLogin(app: AppContext, pages: Way, why: string | undefined): void {
  const { pathname, search } = pages.next.get() ?? pages.get().location
  const here = pathname + search
  endSession(app)
  inBackground(pages.go('/'))
  app.dialogs.open('login', { why, ...(here !== '/' && { redirect: here }) })
}
