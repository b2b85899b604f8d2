import { privacy } from '#contract/calls/account-calls.ts'
import { doneBySession } from '#server/core/accounts/sessions/done-by-session.ts'
import { requireSession } from '#server/core/accounts/sessions/require-session.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { agreeToCurrent } from './consents/queries.ts'
import { askDeletion, cancelDeletion } from './deletion/ask-deletion.ts'
import { askExport } from './export/ask-export.ts'
import { sendExport } from './export/send-export.ts'
import { getPrivacy } from './get-privacy.ts'

export const privacyCalls: Call[] = [
  route(privacy.state, (ctx, caller) => getPrivacy(ctx, requireSession(caller))),
  route(privacy.export, doneBySession(askExport)),
  route(privacy.file, sendExport),
  route(privacy.askDeletion, doneBySession(askDeletion)),
  route(privacy.cancelDeletion, doneBySession(cancelDeletion)),
  route(
    privacy.consent,
    doneBySession((ctx, { userId }) => agreeToCurrent(ctx.db, { userId, now: ctx.clock.now() })),
  ),
]
