import type { z } from 'zod'
import type { Done, TokenReply } from '#contract/account.ts'
import type * as passkeys from '#contract/passkeys/passkeys.ts'

type In<Schema extends z.ZodType> = z.input<Schema>
type Out<Schema extends z.ZodType> = z.output<Schema>

export type PasskeyCalls = {
  'GET /api/v1/user/passkeys': { input: object; reply: Out<typeof passkeys.passkeysReplySchema> }
  'POST /api/v1/user/passkeys/begin': { input: object; reply: passkeys.NewPasskey }
  'POST /api/v1/user/passkeys': { input: In<typeof passkeys.addPasskeyInputSchema>; reply: Done }
  'PATCH /api/v1/user/passkeys/{id}': { input: In<typeof passkeys.renamePasskeyInputSchema>; reply: Done }
  'DELETE /api/v1/user/passkeys/{id}': { input: { id: string }; reply: Done }
  'POST /api/v1/passkeys/begin': { input: In<typeof passkeys.askPasskeyInputSchema>; reply: passkeys.AskedPasskey }
  'POST /api/v1/passkeys/sign-in': { input: In<typeof passkeys.passkeySignInInputSchema>; reply: TokenReply }
}
