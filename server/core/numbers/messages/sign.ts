export type SignKind = 'sender' | 'word' | 'domain' | 'hash' | 'prefix'
/** `common` is also an ordinary word and counts only beside a code; `weak` hints. */
export type Strength = 'proven' | 'common' | 'weak'
export type SignSource = 'seed' | 'staff' | 'learnt'

/** `known`: seen on real messages, or said by staff. */
export type Sign = {
  serviceCode: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

/** `learnt`: enough buyers reported its messages. It mutes only texts that name nobody. */
export type IgnoredBy = 'seed' | 'staff' | 'learnt'

export type SenderFacts = {
  signs: readonly Sign[]
  ignored: readonly { sender: string; source: IgnoredBy }[]
  /** Weak hints for services without a sign. */
  services: readonly { code: string; name_en: string; name_ru: string }[]
}
