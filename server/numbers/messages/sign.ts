export type SignKind = 'sender' | 'word' | 'domain' | 'hash' | 'prefix'
/** `proven` names its service; `common` is also an ordinary word, and names it only where the text gives a code for it; `weak` hints. */
export type Strength = 'proven' | 'common' | 'weak'
export type SignSource = 'seed' | 'staff' | 'learnt'

/** What a message of a service is known by. `known`: seen on real messages, or said by staff; a brand's name alone is not. */
export type Sign = {
  serviceCode: string
  kind: SignKind
  value: string
  strength: Strength
  source: SignSource
  known: boolean
}

export type SenderFacts = {
  signs: readonly Sign[]
  ignored: readonly { sender: string; source: 'seed' | 'staff' }[]
  /** Names of the catalogue: weak hints for services without a sign. */
  services: readonly { code: string; name_en: string; name_ru: string }[]
}
