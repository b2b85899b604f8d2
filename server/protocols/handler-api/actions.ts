import type { Action } from './action.ts'
import { getActiveActivations, getOrder } from './active-activations.ts'
import { getBalance } from './balance.ts'
import { getNumber, getNumberV2 } from './buy-number.ts'
import { getCountries, getOperators, getServicesList } from './directory.ts'
import { getFullSms, getStatus, getStatusV2 } from './get-status.ts'
import { getNumbersStatus, getPrices, getTopCountriesByService } from './prices.ts'
import { getRentExtension, getRentList, getRentOrder } from './rent/rent-list.ts'
import { continueRentNumber, getRentNumber } from './rent/rent-number.ts'
import { getRentPrices, getRentServicesAndCountries } from './rent/rent-prices.ts'
import { getRentStatus, setRentStatus } from './rent/rent-status.ts'
import { cancelActivationAction, finishActivationAction, setStatus } from './set-status.ts'

/** A Map, so that no property of Object is an action. */
export const actions: ReadonlyMap<string, Action> = new Map([
  ['getBalance', getBalance],
  // Cashback does not exist here, so both are the balance.
  ['getBalanceAndCashBack', getBalance],
  ['getNumber', getNumber],
  ['getNumberV2', getNumberV2],
  ['setStatus', setStatus],
  ['finishActivation', finishActivationAction],
  ['cancelActivation', cancelActivationAction],
  ['getStatus', getStatus],
  ['getStatusV2', getStatusV2],
  ['getFullSms', getFullSms],
  ['getActiveActivations', getActiveActivations],
  ['getOrder', getOrder],
  ['getPrices', getPrices],
  ['getNumbersStatus', getNumbersStatus],
  ['getTopCountriesByService', getTopCountriesByService],
  // Prices are the same for every account, so rank changes nothing.
  ['getTopCountriesByServiceRank', getTopCountriesByService],
  ['getCountries', getCountries],
  ['getServicesList', getServicesList],
  ['getOperators', getOperators],
  ['getRentServicesAndCountries', getRentServicesAndCountries],
  ['getRentPrices', getRentPrices],
  ['getRentNumber', getRentNumber],
  ['continueRentNumber', continueRentNumber],
  ['getRentStatus', getRentStatus],
  ['setRentStatus', setRentStatus],
  ['getRentList', getRentList],
  ['getRentOrder', getRentOrder],
  ['getRentExtension', getRentExtension],
])
