import type { z } from 'zod'
import type { CallKey, Calls } from '#contract/calls/calls.ts'
import { STAFF_ROLES, type StaffRole } from '#contract/staff/staff-constants.ts'
import { isStaff } from '#server/core/support/queries/staff-members.ts'
import type { Context } from '#server/house/context.ts'
import { forbidden, notFound } from '#server/house/errors/errors.ts'
import { type Call, defineCall, type Wire } from '#server/house/http/call.ts'
import type { Caller, MemberCaller } from '#server/house/http/caller.ts'

export type StaffCaller = MemberCaller & { staff: { id: number; role: StaffRole } }

/** Defines a call that answers 404 to everybody but staff. With `role`, staff of another role get 404 too. */
export function defineStaffCall<Key extends CallKey, Input extends z.ZodType>(
  key: Key,
  call: {
    role?: StaffRole
    input: Input
    reply: z.ZodType<Calls[Key]['reply']>
    status?: number
    onceByKey?: boolean
    handle(ctx: Context, caller: StaffCaller, input: z.output<Input>, wire?: Wire): Promise<Calls[Key]['reply']>
  },
): Call {
  const { role: wanted, ...rest } = call
  return defineCall<Key, 'required', Input>(key, {
    ...rest,
    auth: 'required',
    scope: 'session',
    admit: async (ctx, caller) => {
      await requireStaff(ctx, caller)
      if (wanted !== undefined && roleOf(caller) !== wanted) throw notFound()
    },
    handle: async (ctx, caller, input, wire) => {
      const staff = { id: caller.member.userId, role: roleOf(caller) }
      return call.handle(ctx, { ...caller, staff }, input, wire)
    },
  })
}

/**
 * Checks the second factor on every call, so a member of staff who loses it is refused at once. An API key never
 * passes. Throws NOT_FOUND.
 */
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

/** Throws FORBIDDEN if the member of staff is no operator. */
export function requireOperator({ staff }: StaffCaller): void {
  if (staff.role !== 'operator') throw forbidden()
}
