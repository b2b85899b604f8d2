import { activations, rentals } from '#contract/calls/number-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { listLatestActivations, listLatestRentals } from './list-latest.ts'

export const purchaseCalls: Call[] = [
  route(activations.latest, listLatestActivations),
  route(rentals.latest, listLatestRentals),
]
