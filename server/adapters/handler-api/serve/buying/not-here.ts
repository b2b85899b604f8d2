import { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { type Action, keyAction } from '../action.ts'
import { word } from '../answer.ts'

/** What the field has and this service does not sell; BAD_ACTION would say that it is no action of the field. */
function notHere(scope: KeyScope, said: Word): Action {
  return keyAction({ scope, parameters: z.object({}), handle: () => word(said) })
}

/** One number for several services: suppliers sell each for one. */
export const getMultiServiceNumber = notHere('buy', 'NOT_AVAILABLE')
export const getAdditionalService = notHere('buy', 'WRONG_ADDITIONAL_SERVICE')
/** Numbers take messages alone. */
export const getIncomingCallStatus = notHere('read', 'NOT_INCOMING')
export const parseCall = notHere('buy', 'NO_CALL')
export const createTaskForCall = notHere('buy', 'NOT_AVAILABLE')
export const getOutgoingCalls = notHere('read', 'NOT_AVAILABLE')
/** There are no goods but numbers. */
export const buyPartnerProduct = notHere('buy', 'BAD_DATA')
/** Notices to a person are for sessions alone. */
export const getNotifications = notHere('read', 'NOT_AVAILABLE')
