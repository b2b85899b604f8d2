import type { Choice } from '#web/buying/initial/choice.ts'

/** The list that the user opened. `none` means that the user closed it. With null the choice decides what is open. */
export type OpenedStep = 'service' | 'country' | 'operator' | 'none' | null
/** `open-when-wide` exists because a phone shows one step at a time. */
export type StepLook = 'open' | 'closed' | 'open-when-wide'

/**
 * Returns whether the lists of services and countries are open. Unless the user opened or closed a list, the first list
 * without a choice is open. A wide window may also show the countries for comparison. The page lists the half `beside`
 * itself, so the panel lists it only if the user wants it to.
 */
export function stepLooks(
  choice: Pick<Choice, 'serviceId' | 'countryId'>,
  opened: OpenedStep,
  beside: 'service' | 'country' | null = null,
): { service: StepLook; country: StepLook } {
  const hasService = choice.serviceId !== null
  const hasCountry = choice.countryId !== null
  // The step of operators is shown only with a service and a country.
  if (opened !== null && (opened !== 'operator' || (hasService && hasCountry))) {
    return { service: opened === 'service' ? 'open' : 'closed', country: opened === 'country' ? 'open' : 'closed' }
  }
  const service = hasService || beside === 'service' ? 'closed' : 'open'
  if (beside === 'country' || (hasCountry && !hasService)) return { service, country: 'closed' }
  return { service, country: hasCountry || service === 'open' ? 'open-when-wide' : 'open' }
}
