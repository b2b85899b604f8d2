import { useState } from 'react'
import type { User } from '#contract/user.ts'
import { useAppContext } from '#web/app-context.ts'
import { inBackground } from '#web/in-background.ts'
import { askAgain } from '#web/session/ask-again.ts'
import { useFailure } from '#web/session/failure.ts'
import { createPreferenceQueue, type PreferenceName } from './preference-queue.ts'

/** Changes a preference of the person: here at once, in their other tabs when it is saved. */
export function usePreferences(): (name: PreferenceName, value: boolean) => void {
  const { api, queryClient, tabs } = useAppContext()
  const fail = useFailure()
  const [queue] = useState(() =>
    createPreferenceQueue({
      // Read only where a switch is shown, and that takes a user.
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
    // An answer that is already on its way would bring the old value back.
    await queryClient.cancelQueries({ queryKey: ['user'] })
    await queue.wish(name, value)
    if (queue.isBusy()) return
    // One that was asked for meanwhile may have brought it back all the same.
    await askAgain(queryClient, { queryKey: ['user'] })
    const user = queryClient.getQueryData<User>(['user'])
    if (user !== undefined) tabs.tell({ kind: 'user', user })
  }
  return (name, value) => inBackground(save(name, value))
}
