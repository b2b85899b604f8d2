import { defineRotation } from '#server/programs/cli/settings/rotate-key.ts'
import { outletSettings } from './outlet-set.ts'

export const rotateOutletKey = defineRotation({
  ...outletSettings,
  summary: 'give an outlet another key of the protocol; the one before holds for HOURS more, both ways',
})
