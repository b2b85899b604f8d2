import type { FileContent } from '#server/core/support/queries/files.ts'
import { isStaff } from '#server/core/support/queries/staff-members.ts'
import { findFileOfTicket } from '#server/core/support/queries/staff-messages.ts'
import type { Context } from '#server/house/context.ts'

/**
 * Returns a file of any user's message or note if the reader is staff. Returns null for other readers, and for a note
 * in the reader's own ticket.
 */
export async function findFileForStaff(
  ctx: Context,
  { id, userId }: { id: bigint; userId: number },
): Promise<FileContent | null> {
  return (await isStaff(ctx.db, userId)) ? findFileOfTicket(ctx.db, { id, readerId: userId }) : null
}
