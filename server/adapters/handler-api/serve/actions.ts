import { getBalance } from './account/balance.ts'
import { updateApiCurrency } from './account/currency.ts'
import type { Action } from './action.ts'
import { getNumber, getNumberV2 } from './buying/buy-number.ts'
import { setMaxPrice } from './buying/ceilings/set-max-price.ts'
import * as notHere from './buying/not-here.ts'
import {
  checkExtraActivation,
  getExtraActivation,
  reactivate,
  reactivateOptions,
  reactivationPrice,
} from './buying/reactivate.ts'
import { cancelActivationAction, finishActivationAction, setStatus, setStatusV2 } from './buying/set-status.ts'
import { getCountries, getOperators, getServicesList } from './catalogue/directory.ts'
import {
  getOffers,
  getPricesExtended,
  getPricesVerification,
  getProviders,
  getServiceNumbersCount,
} from './catalogue/offers.ts'
import { getNumbersStatus, getPrices, getPricesV2, getPricesV3 } from './catalogue/prices.ts'
import {
  getListOfCountriesAndOperators,
  getNumbersStatusAndCostHubFree,
  getNumbersStatusAndMediumSmsTime,
} from './catalogue/smshub-lists.ts'
import { getListOfTopCountriesByService, getTopCountriesByService } from './catalogue/top-countries.ts'
import { getActiveActivations, getOrder } from './reading/active-activations.ts'
import { getAllSms } from './reading/all-sms.ts'
import { getCurrentActivations } from './reading/current-activations.ts'
import { getFullSms, getStatus, getStatusV2 } from './reading/get-status.ts'
import { getHistory } from './reading/history.ts'
import { getListOfActiveActivations } from './reading/list-of-active.ts'
import { continueRentInfo, getContinueRentPriceNumber, prolongHistory, prolongOptions } from './rent/prolong.ts'
import { getRentExtension, getRentList, getRentOrder } from './rent/rent-list.ts'
import { continueRentNumber, getRentNumber } from './rent/rent-number.ts'
import { getRentPrices, getRentServicesAndCountries, serviceCountRent } from './rent/rent-prices.ts'
import { getRentStatus, setRentStatus } from './rent/rent-status.ts'

const BUYING = {
  getNumber,
  getNumberV2,
  setStatus,
  setStatusV2,
  finishActivation: finishActivationAction,
  cancelActivation: cancelActivationAction,
  getExtraActivation,
  checkExtraActivation,
  reactivate,
  reactivateOptions,
  reactivationPrice,
  setMaxPrice,
  ...notHere,
}

const READING = {
  getBalance,
  // We have no cashback, so getBalanceAndCashBack returns the balance only.
  getBalanceAndCashBack: getBalance,
  updateApiCurrency,
  getStatus,
  getStatusV2,
  getFullSms,
  getAllSms,
  getActiveActivations,
  getCurrentActivations,
  getListOfActiveActivations,
  getOrder,
  getHistory,
  getActivationHistory: getHistory,
}

const CATALOGUE = {
  getPrices,
  getPricesV2,
  getFreePrices: getPricesV2,
  getPricesV3,
  getPricesExtended,
  getPricesVerification,
  getOffers,
  getProviders,
  getServiceNumbersCount,
  getNumbersStatus,
  getNumbersStatusAndCostHubFree,
  getNumbersStatusAndMediumSmsTime,
  getTopCountriesByService,
  // Our prices are the same for every account, so the account's rank changes nothing.
  getTopCountriesByServiceRank: getTopCountriesByService,
  getListOfTopCountriesByService,
  getCountries,
  getServicesList,
  getServices: getServicesList,
  getOperators,
  getListOfCountriesAndOperators,
}

const RENT = {
  getRentServicesAndCountries,
  getRentPrices,
  serviceCountRent,
  getRentNumber,
  getRentStatus,
  setRentStatus,
  getRentList,
  getRentOrder,
  getRentExtension,
  continueRentNumber,
  continueRentInfo,
  getContinueRentPriceNumber,
  prolong: continueRentNumber,
  prolongOptions,
  prolongHistory,
}

/** A Map is used, so that no property of Object is an action. */
export const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries<Action>({ ...BUYING, ...READING, ...CATALOGUE, ...RENT }),
)
