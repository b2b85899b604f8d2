import { notifications } from '#contract/calls/notification-calls.ts'
import type { Context } from '#server/house/context.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import type { Member } from '#server/house/http/caller.ts'
import { getNotificationSettings } from './change-settings.ts'
import { countUnread, listNotifications, markAllRead, markRead, markReadByLink, sessionText } from './queries/bell.ts'
import { toRecord } from './record.ts'

export const notificationCalls: Call[] = [
  route(notifications.list, async (ctx, { member, locale }, { category = null, before = null, per_page: perPage }) => {
    const { userId } = member
    const session = sessionText(member.sessionId)
    const [rows, count] = await Promise.all([
      listNotifications(ctx.db, { userId, category, before, limit: perPage + 1 }),
      countFor(ctx, member),
    ])
    const shown = rows.slice(0, perPage)
    const last = rows.length > perPage ? shown.at(-1) : undefined
    return {
      status: true as const,
      notifications: shown.map((row) => toRecord(ctx, row, { locale, session })),
      next: last === undefined ? null : Number(last.id),
      notifications_count: count,
    }
  }),
  route(notifications.read, async (ctx, { member }, { id }) => {
    if (!(await markRead(ctx.db, { id, userId: member.userId, now: ctx.clock.now() }))) throw notFound()
    return unread(ctx, member)
  }),
  route(notifications.readAll, async (ctx, { member }, { category = null, up_to: upTo }) => {
    await markAllRead(ctx.db, { userId: member.userId, category, upTo, now: ctx.clock.now() })
    return unread(ctx, member)
  }),
  route(notifications.readLink, async (ctx, { member }, { link }) => {
    await markReadByLink(ctx.db, { userId: member.userId, link, now: ctx.clock.now() })
    return unread(ctx, member)
  }),
  route(notifications.settings, (ctx, { member }) => getNotificationSettings(ctx, member.userId)),
]

async function unread(ctx: Context, member: Member) {
  return { status: true as const, notifications_count: await countFor(ctx, member) }
}

async function countFor(ctx: Context, { userId, sessionId }: Member): Promise<number> {
  const session = sessionText(sessionId)
  return (await countUnread(ctx.db, userId, [session])).get(session) ?? 0
}
