import type { StaffRole } from '#contract/staff/staff-constants.ts'
import { beginSetUp, confirmSetUp } from '#server/core/accounts/two-factor/queries.ts'
import { sealSecret } from '#server/core/accounts/two-factor/secret.ts'
import { setRole } from '#server/core/accounts/users/queries.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export async function makeStaff(t: TestApp, role: StaffRole, email?: string): Promise<TestUser> {
  const user = await t.makeUser({ balance: '0', ...(email !== undefined && { email }) })
  const [secret, now] = [sealSecret(t.ctx, SECRET), t.clock.now()]
  await beginSetUp(t.ctx.db, { userId: user.id, secret, now })
  await confirmSetUp(t.ctx.db, { userId: user.id, secret, step: 0n, now })
  if (!(await setRole(t.ctx.db, { userId: user.id, role }))) throw new Error('the role was not given')
  return user
}
