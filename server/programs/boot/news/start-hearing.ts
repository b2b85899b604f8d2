import { forgetAllLookUps } from '#server/core/accounts/api-keys/key-memory.ts'
import { loadHealth } from '#server/core/catalog/standing/load-health.ts'
import { addSubscriber, forgetSubscribers } from '#server/core/notifications/push/subscribers.ts'
import { noteUnsureName } from '#server/core/numbers/delivery/unsure-messages.ts'
import { processNewRequests } from '#server/core/numbers/intake/process-request.ts'
import { showToStaff, showWriting } from '#server/core/support/announce-to-staff.ts'
import { webhookPostOf } from '#server/core/webhooks/sending/post.ts'
import type { Context } from '#server/house/context.ts'
import type { NodeNews } from '#server/house/news/news.ts'
import { startNews } from '#server/house/news/start-news.ts'
import { forgetBoard } from '#server/surfaces/staff/supply/board.ts'
import { hearUser } from './hear-user.ts'

/** Begins to hear what other nodes change. `lookAtOnce` runs the look of this second that finds changed tables. */
export function startHearing(ctx: Context, lookAtOnce: () => void): Disposable {
  return startNews(ctx, {
    hearUser: (userId, news) => hearUser(ctx, userId, news),
    hearNode: (news) => hearNode(ctx, news, lookAtOnce),
    readAgain() {
      forgetAllLookUps(ctx)
      forgetSubscribers(ctx)
      forgetBoard(ctx)
      ctx.background.run('standings', () => loadHealth(ctx))
      lookAtOnce()
    },
  })
}

async function hearNode(ctx: Context, news: NodeNews, lookAtOnce: () => void): Promise<void> {
  switch (news.kind) {
    case 'sessions-ended':
      for (const session of news.sessions) ctx.realtime.closeSession(session)
      return
    case 'sessions-renewed':
      for (const session of news.sessions) ctx.realtime.renewSession(session)
      return
    case 'user-shut-out':
      ctx.realtime.closeUser(news.userId)
      return
    case 'keys-changed':
      return forgetAllLookUps(ctx)
    case 'push-subscriber':
      return addSubscriber(ctx, news.userId)
    case 'message-unsure':
      return noteUnsureName(ctx, news.name)
    case 'ticket':
      return showToStaff(ctx, news.ticketId)
    case 'writing':
      return showWriting(ctx, news)
    case 'standings-changed':
      return loadHealth(ctx)
    case 'webhooks-due':
      return webhookPostOf(ctx).wake()
    case 'request-stored':
      return processNewRequests(ctx, news.supplierId)
    case 'supply-changed':
      forgetBoard(ctx)
      return lookAtOnce()
    case 'catalogue-changed':
    case 'missed':
      return lookAtOnce()
    default:
      news satisfies never
  }
}
