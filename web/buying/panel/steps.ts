import type { Choice } from '#web/buying/picker/choice.ts'

/** Which list the person opened himself; null: whatever the choice calls for; `none`: he closed it. */
export type OpenedStep = 'service' | 'country' | 'none' | null
/** A list is seen, or not, or only where there is room for two: a phone shows one step at a time. */
export type StepLook = 'open' | 'closed' | 'open-when-wide'

/** How the two lists of the panel stand. What is still to be chosen is open; with both chosen, countries can be compared. */
export function stepLooks(
  choice: Pick<Choice, 'serviceId' | 'countryId'>,
  opened: OpenedStep,
): { service: StepLook; country: StepLook } {
  if (opened !== null) {
    return { service: opened === 'service' ? 'open' : 'closed', country: opened === 'country' ? 'open' : 'closed' }
  }
  const hasService = choice.serviceId !== null
  const hasCountry = choice.countryId !== null
  if (hasService && hasCountry) return { service: 'closed', country: 'open-when-wide' }
  if (hasService) return { service: 'closed', country: 'open' }
  if (hasCountry) return { service: 'open', country: 'closed' }
  return { service: 'open', country: 'open-when-wide' }
}
