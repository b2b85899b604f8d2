import { toDecimal } from '#contract/money.ts'
import type { DataExport, Privacy } from '#contract/privacy.ts'
import { DAY } from '#contract/time.ts'
import type { SignedIn } from '#server/core/accounts/sessions/require-session.ts'
import type { Context } from '#server/house/context.ts'
import { listConsents } from './consents/queries.ts'
import { findDeletion, findOpenMatters } from './deletion/queries.ts'
import { type ExportRow, findLastExport } from './export/queries.ts'

export async function getPrivacy(ctx: Context, { userId }: SignedIn): Promise<Privacy> {
  const { db } = ctx
  const now = ctx.clock.now()
  const [last, deletion, consents] = await Promise.all([
    findLastExport(db, { userId, now }),
    findDeletion(db, userId),
    listConsents(db, userId),
  ])
  const open = await findOpenMatters(db, { userId, givesUpMicros: deletion?.gives_up_micros ?? 0n })
  return {
    export: last === null ? null : toExport(last),
    next_export_at: last === null ? null : nextExportAt(last, now),
    balance: toDecimal(open.leftMicros),
    currency: open.currency,
    deletion:
      deletion === null
        ? null
        : {
            asked_at: deletion.asked_at.toISOString(),
            due_at: deletion.due_at.toISOString(),
            days_left: Math.max(0, Math.ceil((deletion.due_at.getTime() - now.getTime()) / DAY)),
            gives_up: toDecimal(deletion.gives_up_micros),
            waits_for: open.waitsFor,
          },
    consents: consents.map(({ document, version, at }) => ({ document, version, at: at.toISOString() })),
  }
}

function toExport({ id, state, asked_at, ready_at, expires_at, bytes }: ExportRow): DataExport {
  return {
    id: Number(id),
    state,
    asked_at: asked_at.toISOString(),
    ready_at: ready_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    bytes: bytes === null ? null : Number(bytes),
  }
}

/** Returns the time of the next allowed export: one for each UTC day. A failed export does not count. */
function nextExportAt({ asked_at, state }: ExportRow, now: Date): string | null {
  if (state === 'failed') return null
  const next = new Date(Math.floor(asked_at.getTime() / DAY) * DAY + DAY)
  return next > now ? next.toISOString() : null
}
