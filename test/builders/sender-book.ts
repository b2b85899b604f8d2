import { readText } from '#server/core/numbers/messages/codes/message-text.ts'
import { nameText } from '#server/core/numbers/messages/name-text.ts'
import type { Naming } from '#server/core/numbers/messages/naming.ts'
import { readSeedIgnored, readSeedSigns } from '#server/core/numbers/messages/seed.ts'
import { SenderBook } from '#server/core/numbers/messages/sender-book.ts'
import type { SenderFacts } from '#server/core/numbers/messages/sign.ts'
import { readSeedServices } from '#server/house/seed/seed-tables.ts'

export function seedFacts(): SenderFacts {
  return {
    signs: readSeedSigns().map((sign) => ({ ...sign, source: 'seed' })),
    ignored: readSeedIgnored().map((sender) => ({ sender, source: 'seed' })),
    services: readSeedServices().map(({ code, nameEn, nameRu }) => ({ code, name_en: nameEn, name_ru: nameRu })),
  }
}

export function seedBook(more: Partial<Pick<SenderFacts, 'signs' | 'ignored'>> = {}): SenderBook {
  const facts = seedFacts()
  const book = new SenderBook()
  book.load({
    ...facts,
    signs: [...facts.signs, ...(more.signs ?? [])],
    ignored: [...facts.ignored, ...(more.ignored ?? [])],
  })
  return book
}

export function nameService(book: SenderBook, { sender, text }: { sender: string; text: string }): Naming {
  return nameText(book, readText(text), sender).naming
}
