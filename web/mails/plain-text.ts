import type { Language, MailWords } from './words.ts'

/** The letter as text alone: for programs and people that read no HTML, in the same order. */
export function plainText(words: MailWords, language: Language, site: string): string {
  const { heading, lead, code, facts, action, note, ifNotYou } = words
  const blocks = [
    heading,
    lead,
    code,
    facts?.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    action && `${action.label}:\n${action.url}`,
    note,
    ifNotYou,
    // Two dashes and a space: mail programs know that what follows is a signature.
    `-- \nRingpost · ${site}\n${language.footer}`,
  ]
  return `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`
}
