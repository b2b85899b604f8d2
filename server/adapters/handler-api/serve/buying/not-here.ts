import { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { type Action, keyAction } from '../action.ts'
import { word } from '../answer.ts'

/** Makes an action for goods that we do not sell, because BAD_ACTION would say that no such action exists. */
function notHere(scope: KeyScope, said: Word): Action {
  return keyAction({ scope, parameters: z.object({}), handle: () => word(said) })
}

/** Refuses to sell one number for several services, because our suppliers sell each number for one service. */
export const getMultiServiceNumber = notHere('buy', 'NOT_AVAILABLE')
export const getAdditionalService = notHere('buy', 'WRONG_ADDITIONAL_SERVICE')
/** Refuses to tell the state of a voice call, because our numbers only receive messages. */
export const getIncomingCallStatus = notHere('read', 'NOT_INCOMING')
export const parseCall = notHere('buy', 'NO_CALL')
export const createTaskForCall = notHere('buy', 'NOT_AVAILABLE')
export const getOutgoingCalls = notHere('read', 'NOT_AVAILABLE')
export const buyPartnerProduct = notHere('buy', 'BAD_DATA')
/** Refuses to list a person's notifications, because they need a session instead of an API key. */
export const getNotifications = notHere('read', 'NOT_AVAILABLE')
