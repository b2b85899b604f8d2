import { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { type Action, keyAction } from '../action.ts'
import { word } from '../answer.ts'

/** Actions of other services that are not sold here. BAD_ACTION would say that the protocol has no such action. */
function notHere(scope: KeyScope, said: Word): Action {
  return keyAction({ scope, parameters: z.object({}), handle: () => word(said) })
}

/** These actions buy one number for several services, but suppliers sell each number for one. */
export const getMultiServiceNumber = notHere('buy', 'NOT_AVAILABLE')
export const getAdditionalService = notHere('buy', 'WRONG_ADDITIONAL_SERVICE')
/** Numbers take messages only, no calls. */
export const getIncomingCallStatus = notHere('read', 'NOT_INCOMING')
export const parseCall = notHere('buy', 'NO_CALL')
export const createTaskForCall = notHere('buy', 'NOT_AVAILABLE')
export const getOutgoingCalls = notHere('read', 'NOT_AVAILABLE')
/** Only numbers are sold, no other goods. */
export const buyPartnerProduct = notHere('buy', 'BAD_DATA')
/** Notifications to a person need a session, not a key. */
export const getNotifications = notHere('read', 'NOT_AVAILABLE')
