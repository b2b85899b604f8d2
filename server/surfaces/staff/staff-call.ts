import { STAFF_ROLES, type StaffRole } from '#contract/staff/staff-constants.ts'
import { isStaff } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, notFound } from '#server/house/errors/errors.ts'
import { type Call, type GuardedCall, guardedRoute, type Handle } from '#server/house/http/call.ts'
import type { Caller, MemberCaller } from '#server/house/http/caller.ts'

export type StaffCaller = MemberCaller & { staff: { id: number; role: StaffRole } }

/** Declares a call for the staff roles that the contract names. Everybody else gets 404. */
export function staffRoute<D extends GuardedCall>(declared: D, handle: Handle<D, StaffCaller>): Call {
  return guardedRoute(
    declared,
    async (ctx, caller) => {
      await requireStaff(ctx, caller)
      if (!declared.who.staff.includes(roleOf(caller))) throw notFound()
    },
    async (ctx, caller, input, wire) => {
      const staff = { id: caller.member.userId, role: roleOf(caller) }
      return handle(ctx, { ...caller, staff }, input, wire)
    },
  )
}

/** Throws NOT_FOUND unless the caller is staff with a second factor, checked on every call. Refuses API keys. */
export async function requireStaff(ctx: Context, caller: Caller): Promise<void> {
  if (caller.member === null || caller.member.sessionId === null) throw notFound()
  roleOf(caller)
  if (!(await isStaff(ctx.db, caller.member.userId))) throw notFound()
}

function roleOf({ member }: Caller): StaffRole {
  const role = STAFF_ROLES.find((one) => one === member?.role)
  if (role === undefined) throw notFound()
  return role
}

/** Throws FORBIDDEN if the member of staff does not have the role operator. */
export function requireOperator({ staff }: StaffCaller): void {
  if (staff.role !== 'operator') throw forbidden()
}
