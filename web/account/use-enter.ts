import { useCallback } from 'react'
import type { TokenReply } from '#contract/account.ts'
import { useAppContext } from '#web/app-context.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { beginSession } from '#web/session/session-life.ts'
import { redirectPath } from './redirect-path.ts'
import { takeWanted } from './wanted-number.ts'

/** After every sign-in: opens the wanted page or number, else reloads this page as the user's. */
export function useEnter(): (reply: TokenReply, redirect: string | undefined) => Promise<void> {
  const app = useAppContext()
  const pages = usePages()
  return useCallback(
    async (reply, redirect) => {
      beginSession(app, reply)
      const wanted = takeWanted()
      const choice = wanted === location.pathname + location.search ? null : wanted
      const target = redirectPath(redirect) ?? redirectPath(choice)
      await (target === null ? pages.reload() : pages.go(target))
    },
    [app, pages],
  )
}
