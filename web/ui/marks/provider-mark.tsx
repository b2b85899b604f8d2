import type { Provider } from '#contract/account-constants.ts'
import { serviceMarkUrl } from './service-mark.ts'

/** Their marks are drawn for the catalogue, where these codes are the services of the same name. */
const MARKS: Record<Provider, string> = { google: 'go', vkontakte: 'vk', telegram: 'tg' }

/** The mark of a social service. Decoration: the name always stands beside it. */
export function ProviderMark({ provider, size }: { provider: Provider; size: number }) {
  return <img src={serviceMarkUrl(MARKS[provider]) ?? ''} alt="" width={size} height={size} className="shrink-0" />
}
