export type SignKind = 'sender' | 'word' | 'domain' | 'hash' | 'prefix'
/** `common` is also an ordinary word and counts only beside a code; `weak` is a mere hint. */
export type Strength = 'proven' | 'common' | 'weak'
export type SignSource = 'seed' | 'staff' | 'learnt'

/** `known` signs were seen on real messages or entered by staff. */
export type Sign = {
  serviceCode: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

/** `learnt`: enough buyers reported the sender. Only its texts that name no service are ignored. */
export type IgnoredBy = 'seed' | 'staff' | 'learnt'

export type SenderFacts = {
  signs: readonly Sign[]
  ignored: readonly { sender: string; source: IgnoredBy }[]
  /** Names of services without a sign are weak hints. */
  services: readonly { code: string; name_en: string; name_ru: string }[]
}
