import { SECOND } from '#contract/time.ts'
import type { SupplierRole } from '#server/core/suppliers/supplier.ts'
import { isTogether } from '#server/house/nodes/node.ts'
import type { ResoldAccount } from './account.ts'
import { retryMs } from './catalogue.ts'
import { createPoll } from './poll.ts'
import { resumeOrders, resumeSeconds } from './resume-orders.ts'
import { startTask, type Task } from './task.ts'

/** The time for which a supplier's start waits for the first prices, so that a fast supplier has offers at once. */
const FIRST_PRICES_MS = 2 * SECOND

type Repeated = { everySeconds: number; work: () => Promise<void> }
export type Beside = { start(begin: Begin, role: SupplierRole): Promise<Task>; stop(): Promise<void> }
export type Begin = (name: string, repeated: Repeated) => Task

type Plan = {
  pollSeconds: number
  look: (stopping: AbortSignal) => Promise<void>
  prices: Repeated
  balance: Repeated
  beside?: Beside | null
}

export function createWork(
  account: ResoldAccount,
  plan: Plan,
): { start(role?: SupplierRole): Promise<void>; stop(): Promise<void> } {
  const { ctx, code, link } = account
  const { pollSeconds, look, beside = null } = plan
  const newPoll = () => createPoll(account, { pauseMs: pollSeconds * SECOND, open: account.open, look })
  const takeUp = (role: SupplierRole) => ({
    // The node that polls learns here of numbers that other nodes have sold.
    everySeconds:
      isTogether(ctx) && role.receives !== false ? 1 : resumeSeconds({ balanceSeconds: plan.balance.everySeconds }),
    work: () => resumeOrders(account, { isStart: false }),
  })
  let poll = newPoll()
  let tasks: Task[] = []
  const begin: Begin = (name, { everySeconds, work }) =>
    startTask({ everyMs: everySeconds * SECOND, retryMs, work }, (error) => {
      if (error !== null) ctx.log.warn({ error, supplier: code, task: name }, 'a supplier did not answer')
    })
  const startAll = async (role: SupplierRole) => {
    link.listen()
    poll = newPoll()
    // Another node polls the numbers that a node sells but does not receive for.
    account.wakePoll = role.receives === false ? () => undefined : poll.wake
    tasks = []
    await resumeOrders(account, { isStart: !isTogether(ctx) })
    tasks.push(begin('prices', plan.prices))
    if (beside !== null) tasks.push(await beside.start(begin, role))
    const lists = [...tasks]
    tasks.push(begin('balance', plan.balance), begin('open orders', takeUp(role)))
    await Promise.all(lists.map((each) => each.firstWithin(FIRST_PRICES_MS)))
  }
  const stop = async () => {
    link.silence()
    await Promise.all([poll.stop(), beside?.stop(), ...tasks.map((each) => each.stop())])
  }
  return {
    async start(role = {}) {
      try {
        await startAll(role)
      } catch (error) {
        // Stops the tasks that have started, because the next supplier object would start the same tasks again.
        await stop()
        throw error
      }
    },
    stop,
  }
}
