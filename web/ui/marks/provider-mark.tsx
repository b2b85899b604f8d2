import type { Provider } from '#contract/account-constants.ts'
import { serviceMarkUrl } from './initial/service-mark.ts'

/** Codes of the services with the same names in the catalogue. */
const MARKS: Record<Provider, string> = { google: 'go', vkontakte: 'vk', telegram: 'tg' }

/** Decorative, because the name always stands beside it. */
export function ProviderMark({ provider, size }: { provider: Provider; size: number }) {
  return <img src={serviceMarkUrl(MARKS[provider]) ?? ''} alt="" width={size} height={size} className="shrink-0" />
}
