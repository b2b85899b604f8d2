import { push } from '#contract/calls/notification-calls.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { listPush, subscribe, unsubscribe } from './subscriptions.ts'

export const pushCalls: Call[] = [
  route(push.list, (ctx, { member }) => listPush(ctx, member)),
  route(push.subscribe, (ctx, { member }, { endpoint, keys }) => subscribe(ctx, member, { endpoint, ...keys })),
  route(
    push.unsubscribe,
    acknowledge((ctx, { member }, { id }) => unsubscribe(ctx, member, id)),
  ),
]
