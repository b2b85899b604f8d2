import { DEFAULT_RENT_PERIOD_HOURS, RENT_PERIODS_HOURS } from '#contract/constants.ts'
import type { User } from '#contract/user.ts'

export const ANY_OPERATOR = 'any'

/** The buyer's choice, kept in the URL for the server's rendering: `?service=tg&country=2&operator=swift&period=72`. */
export type Choice = { serviceId: string | null; countryId: number | null; operatorId: string; periodHours: number }

const ID_PATTERN = /^[\w-]{1,60}$/
const COUNTRY_PATTERN = /^\d{1,6}$/

/**
 * Reads the chosen service, country, operator and period from the query. Invalid parts are skipped. The country id 0 is
 * valid.
 */
export function readChoice(params: URLSearchParams): Choice {
  const service = params.get('service') ?? ''
  const country = params.get('country') ?? ''
  const operator = params.get('operator') ?? ''
  const period = RENT_PERIODS_HOURS.find((hours) => String(hours) === params.get('period'))
  return {
    serviceId: ID_PATTERN.test(service) ? service : null,
    countryId: COUNTRY_PATTERN.test(country) ? Number(country) : null,
    operatorId: ID_PATTERN.test(operator) ? operator : ANY_OPERATOR,
    periodHours: period ?? DEFAULT_RENT_PERIOD_HOURS,
  }
}

export function isChosen({ serviceId, countryId }: Choice): boolean {
  return serviceId !== null || countryId !== null
}

/** Returns the choice in the query, or else the reader's last pair or default pair of service and country. */
export function choiceFor(params: URLSearchParams, user: User | null): Choice {
  const choice = readChoice(params)
  if (isChosen(choice) || user === null) return choice
  const { settings } = user
  const isRemembered = settings.remember_choice && settings.last_service_id !== null
  return {
    ...choice,
    serviceId: isRemembered ? settings.last_service_id : settings.default_service_id,
    countryId: isRemembered ? settings.last_country_id : settings.default_country_id,
  }
}

/**
 * Writes the chosen service, country, operator and period into the query. Drops the terms of a pre-order, which fit
 * only the previous choice.
 */
export function writeChoice(params: URLSearchParams, choice: Choice): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const name of ['at', 'wait']) next.delete(name)
  const { serviceId, countryId, operatorId, periodHours } = choice
  setOrDelete(next, 'service', serviceId)
  setOrDelete(next, 'country', countryId)
  setOrDelete(next, 'operator', operatorId === ANY_OPERATOR ? null : operatorId)
  setOrDelete(next, 'period', periodHours === DEFAULT_RENT_PERIOD_HOURS ? null : periodHours)
  return next
}

/** Clears the first chosen part of operator, period, country and service. Returns null if none is chosen. */
export function stepBack(choice: Choice): Choice | null {
  if (choice.operatorId !== ANY_OPERATOR) return { ...choice, operatorId: ANY_OPERATOR }
  if (choice.periodHours !== DEFAULT_RENT_PERIOD_HOURS) return { ...choice, periodHours: DEFAULT_RENT_PERIOD_HOURS }
  if (choice.countryId !== null) return { ...choice, countryId: null }
  if (choice.serviceId !== null) return { ...choice, serviceId: null }
  return null
}

/** Returns the wanted operator if it is offered, or else the first operator (specification 4, lists). */
export function effectiveOperator(operators: readonly { id: string }[], wantedId: string): string {
  return operators.some(({ id }) => id === wantedId) ? wantedId : (operators[0]?.id ?? ANY_OPERATOR)
}

function setOrDelete(params: URLSearchParams, name: string, value: string | number | null): void {
  if (value === null) params.delete(name)
  else params.set(name, String(value))
}
