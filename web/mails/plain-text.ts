import type { Language, MailWords } from './words.ts'

export function plainText(words: MailWords, language: Language, site: string): string {
  const { heading, lead, code, facts, action, note, ifNotYou } = words
  const blocks = [
    heading,
    lead,
    code,
    facts?.map(({ label, value, url }) => `${label}: ${value}${url === undefined ? '' : `\n${url}`}`).join('\n'),
    action && `${action.label}:\n${action.url}`,
    note,
    ifNotYou,
    // Mail programs recognise two dashes and a space as the start of a signature.
    `-- \nRingpost · ${site}\n${language.footer}`,
  ]
  return `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`
}
