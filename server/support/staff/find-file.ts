import type { Context } from '#server/context.ts'
import type { FileContent } from '../queries/files.ts'
import { isStaff } from './queries/members.ts'
import { findFileOfTicket } from './queries/messages.ts'

/** For staff, a file of any message but a note in a ticket of one's own; null for everybody else. */
export async function findFileForStaff(
  ctx: Context,
  { id, userId }: { id: bigint; userId: number },
): Promise<FileContent | null> {
  return (await isStaff(ctx.db, userId)) ? findFileOfTicket(ctx.db, { id, readerId: userId }) : null
}
