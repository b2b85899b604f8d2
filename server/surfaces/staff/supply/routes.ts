import { doneSchema } from '#contract/account.ts'
import { noInputSchema } from '#contract/staff/staff-room.ts'
import * as contract from '#contract/staff/supply.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import type { Call } from '#server/house/http/call.ts'
import { defineStaffCall } from '../staff-call.ts'
import { muteSupplierAlarm, pauseSupplier, resumeSupplier, unmuteSupplierAlarm } from './change-supplier.ts'
import { getSupplier, getSuppliers } from './show-supplier.ts'

/** Only operators can use these calls; everybody else, the role `support` included, gets 404. */
export const supplyCalls: Call[] = [
  defineStaffCall('GET /api/v1/staff/suppliers', {
    role: 'operator',
    input: noInputSchema,
    reply: contract.suppliersReplySchema,
    handle: getSuppliers,
  }),
  defineStaffCall('GET /api/v1/staff/suppliers/{code}', {
    role: 'operator',
    input: contract.supplierByCodeSchema,
    reply: contract.supplierReplySchema,
    handle: getSupplier,
  }),
  defineStaffCall('POST /api/v1/staff/suppliers/{code}/pause', {
    role: 'operator',
    input: contract.turnSupplierSchema,
    reply: doneSchema,
    handle: acknowledge(pauseSupplier),
  }),
  defineStaffCall('POST /api/v1/staff/suppliers/{code}/resume', {
    role: 'operator',
    input: contract.turnSupplierSchema,
    reply: doneSchema,
    handle: acknowledge(resumeSupplier),
  }),
  defineStaffCall('POST /api/v1/staff/suppliers/{code}/mute', {
    role: 'operator',
    input: contract.muteAlarmSchema,
    reply: doneSchema,
    handle: acknowledge(muteSupplierAlarm),
  }),
  defineStaffCall('POST /api/v1/staff/suppliers/{code}/unmute', {
    role: 'operator',
    input: contract.unmuteAlarmSchema,
    reply: doneSchema,
    handle: acknowledge(unmuteSupplierAlarm),
  }),
]
