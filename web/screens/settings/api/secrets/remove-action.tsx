import { useQueryClient } from '@tanstack/react-query'
import { useAlerts, useConfirm } from '#web/house/app-context.ts'
import { unlessGone } from '#web/screens/settings/unless-gone.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { type ActionWords, RowAction } from './secret-row.tsx'

type RemoveActionProps = {
  words: ActionWords & { confirm: string; done: string }
  list: string
  remove: () => Promise<unknown>
  onRemoved: () => void
}

/** Renders a button that removes a secret after a confirmation, because programs that use it stop working. */
export function RemoveAction({ words, list, remove, onRemoved }: RemoveActionProps) {
  const alerts = useAlerts()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function removeConfirmed(): Promise<void> {
    if (!(await confirm({ text: words.confirm, action: words.text, force: true }))) return
    await unlessGone(remove())
    onRemoved()
    alerts.add({ type: 'info', text: words.done })
    await refetch(queryClient, { queryKey: [list] })
  }
  return <RowAction words={words} pending={pending} onPress={() => once(removeConfirmed)} />
}
