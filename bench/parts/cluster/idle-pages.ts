import { answerParent } from '../ask-child.ts'
import { openIdleSockets } from '../live-sockets.ts'
import type { Service } from '../temporary-house.ts'

/** Holds pages in a process of its own, because a process may open only so many files. */
const stack = new AsyncDisposableStack()

type Pages = Pick<Service, 'url' | 'liveUrl'> & { userIds: number[]; firstAddress: number }

const answers = {
  open: ({ userIds, firstAddress, ...service }: Pages) => openIdleSockets(stack, service, { userIds, firstAddress }),
}
export type IdlePagesAnswers = typeof answers

answerParent(answers, () => stack.disposeAsync())
