import { useCallback } from 'react'
import type { TokenReply } from '#contract/account.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { redirectPath } from '#web/navigation/redirect-path.ts'
import { topUpFor } from '#web/navigation/top-up-path.ts'
import { usePages } from '#web/navigation/use-page.ts'
import { beginSession } from '#web/session/session-life.ts'
import { takeWanted } from './wanted-number.ts'

type Enter = (reply: TokenReply, redirect: string | undefined, how?: { isNew: boolean }) => Promise<void>

/** Opens the wanted page or number after a sign-in, or reloads the page. For a number, new users top up first. */
export function useEnter(): Enter {
  const app = useAppContext()
  const pages = usePages()
  return useCallback(
    async (reply, redirect, { isNew } = { isNew: false }) => {
      beginSession(app, reply)
      const wanted = takeWanted()
      const choice = wanted === location.pathname + location.search ? null : wanted
      const paid = isNew ? redirectPath(wanted) : null
      const target = redirectPath(redirect) ?? (paid === null ? redirectPath(choice) : topUpFor(paid))
      await (target === null ? pages.reload() : pages.go(target))
    },
    [app, pages],
  )
}
