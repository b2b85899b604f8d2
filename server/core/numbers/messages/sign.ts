export type SignKind = 'sender' | 'word' | 'domain' | 'hash' | 'prefix'
/** A sign's strength. A `common` sign is an ordinary word and counts only beside a code; a `weak` sign only hints. */
export type Strength = 'proven' | 'common' | 'weak'
export type SignSource = 'seed' | 'staff' | 'learnt'

/** A brand word, sender, domain or hash of a service. `known` signs were seen in messages or entered by staff. */
export type Sign = {
  serviceCode: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

/**
 * The source that sets a sender to be ignored. `learnt` means that enough buyers reported the sender; then only its
 * texts that name no service are ignored.
 */
export type IgnoredBy = 'seed' | 'staff' | 'learnt'

export type SenderFacts = {
  signs: readonly Sign[]
  ignored: readonly { sender: string; source: IgnoredBy }[]
  /** The catalogue's services. The name of a service without a sign is a weak hint. */
  services: readonly { code: string; name_en: string; name_ru: string }[]
}
