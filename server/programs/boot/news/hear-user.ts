import { showNotification } from '#server/core/notifications/tell.ts'
import { showChange } from '#server/core/numbers/activations/announce.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import { showAttached } from '#server/core/numbers/delivery/attach-message.ts'
import { showPreorder } from '#server/core/numbers/preorders/announce.ts'
import { findPreorder } from '#server/core/numbers/preorders/queries/read.ts'
import { showRental } from '#server/core/numbers/rentals/announce.ts'
import { findAnyRental } from '#server/core/numbers/rentals/queries/read.ts'
import { showBalance, showPayment } from '#server/core/payments/announce.ts'
import { findPayment } from '#server/core/payments/queries/payments.ts'
import { showMessage } from '#server/core/support/announce.ts'
import { findMessage } from '#server/core/support/queries/staff-messages.ts'
import type { Context } from '#server/house/context.ts'
import { findAvailableMicros } from '#server/house/money/accounts.ts'
import type { UserNews } from '#server/house/news/news.ts'

/** Shows what another node changed to the pages and calls of this node, from the rows as they are now. */
export async function hearUser(ctx: Context, userId: number, news: UserNews): Promise<void> {
  switch (news.kind) {
    case 'activation': {
      const row = await findAnyActivation(ctx.db, BigInt(news.id))
      return row === null ? undefined : showChange(ctx, row)
    }
    case 'rental': {
      const row = await findAnyRental(ctx.db, BigInt(news.id))
      return row === null ? undefined : showRental(ctx, row, news)
    }
    case 'message':
      return showAttached(ctx, BigInt(news.id))
    case 'preorder': {
      const row = await findPreorder(ctx.db, { id: Number(news.id), userId })
      return row === null ? undefined : showPreorder(ctx, row)
    }
    case 'payment': {
      const row = await findPayment(ctx.db, BigInt(news.id))
      const availableMicros = await findAvailableMicros(ctx.db, userId)
      if (row !== null && availableMicros !== null) showPayment(ctx, { ...news, row, availableMicros })
      return
    }
    case 'balance':
      return showBalance(ctx, userId)
    case 'notification':
      return showNotification(ctx, news.id)
    case 'support-message': {
      const message = await findMessage(ctx.db, BigInt(news.id))
      if (message !== null) showMessage(ctx, userId, message)
      return
    }
    default:
      news satisfies never
      throw new Error('news of a kind that this release does not know')
  }
}
