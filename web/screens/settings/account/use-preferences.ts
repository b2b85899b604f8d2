import { useState } from 'react'
import type { User } from '#contract/user.ts'
import { useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useFailure } from '#web/session/use-failure.ts'
import { createPreferenceQueue, type PreferenceName } from './preference-queue.ts'

/** Changes apply here at once, and in the user's other tabs once saved. */
export function usePreferences(): (name: PreferenceName, value: boolean) => void {
  const { api, queryClient, tabs } = useAppContext()
  const fail = useFailure()
  const [queue] = useState(() =>
    createPreferenceQueue({
      // Called only where a switch is rendered, which requires a user.
      read: (name) => queryClient.getQueryData<User>(['user'])?.settings[name] === true,
      show: (name, value) =>
        queryClient.setQueryData<User>(
          ['user'],
          (user) => user && { ...user, settings: { ...user.settings, [name]: value } },
        ),
      save: async (name, value) => {
        await api('PATCH /api/v1/user/settings', { [name]: value })
      },
      fail,
    }),
  )

  async function save(name: PreferenceName, value: boolean): Promise<void> {
    // A pending reply would restore the old value.
    await queryClient.cancelQueries({ queryKey: ['user'] })
    await queue.wish(name, value)
    if (queue.isBusy()) return
    // A refetch begun during the save may have restored it nevertheless.
    await askAgain(queryClient, { queryKey: ['user'] })
    const user = queryClient.getQueryData<User>(['user'])
    if (user !== undefined) tabs.tell({ kind: 'user', user })
  }
  return (name, value) => inBackground(save(name, value))
}
