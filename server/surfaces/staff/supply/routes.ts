import { supply } from '#contract/calls/staff-calls.ts'
import { acknowledge } from '#server/house/http/acknowledge.ts'
import type { Call } from '#server/house/http/call.ts'
import { staffRoute } from '../staff-call.ts'
import { muteSupplierAlarm, pauseSupplier, resumeSupplier, unmuteSupplierAlarm } from './change-supplier.ts'
import { getSupplier, getSuppliers } from './show-supplier.ts'

/** The calls about suppliers, for the role operator. Everybody else, the role `support` included, gets 404. */
export const supplyCalls: Call[] = [
  staffRoute(supply.list, getSuppliers),
  staffRoute(supply.one, getSupplier),
  staffRoute(supply.pause, acknowledge(pauseSupplier)),
  staffRoute(supply.resume, acknowledge(resumeSupplier)),
  staffRoute(supply.muteAlarm, acknowledge(muteSupplierAlarm)),
  staffRoute(supply.unmuteAlarm, acknowledge(unmuteSupplierAlarm)),
]
