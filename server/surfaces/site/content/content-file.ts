import { parse } from 'yaml'
import { z } from 'zod'
import { slugSchema } from '#contract/content.ts'

/** Thrown if texts have mistakes. The message has a line for each, such as `content/ru/faq/start/what.md:3: …`. */
export class ContentMistakes extends Error {
  override name = 'ContentMistakes'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(`the content has mistakes:\n  ${mistakes.join('\n  ')}`)
    this.mistakes = mistakes
  }
}

export const FACT_NAMES = [
  'activation_minutes',
  'early_cancel_minutes',
  'services_count',
  'countries_count',
  'contact_email',
  'public_url',
  'rent_periods',
  'message_keep_days',
  'session_days',
  'session_keep_days',
  'gateway_event_keep_days',
  'receipt_keep_days',
  'deletion_days',
  'export_days',
  'key_call_keep_days',
  'key_calls_shown',
  'notification_keep_days',
  'loose_file_keep_days',
] as const

const DESCRIPTION_MAX_LENGTH = 160
const ASKED_MAX_LENGTH = 300
const textSchema = z.strictObject({
  title: z.string().min(1).max(120),
  description: z.string().min(1).max(DESCRIPTION_MAX_LENGTH),
  updated: z.iso.date(),
})
const frontSchemas = {
  document: textSchema,
  /** `asked` has the words of people who ask. The search uses them, and no page shows them. */
  answer: textSchema.extend({ asked: z.string().min(1).max(ASKED_MAX_LENGTH), order: z.number().int().min(0) }),
  article: textSchema.extend({ published: z.iso.date(), author: z.string().min(1).max(60) }),
}
export type FileKind = keyof typeof frontSchemas
export type Front<Kind extends FileKind> = z.output<(typeof frontSchemas)[Kind]>

/** The sections of the site. Each record maps slugs to titles, in display order. */
export const sectionsSchema = z.strictObject({
  blog: z.record(slugSchema, z.string().min(1)),
  faq: z.record(slugSchema, z.string().min(1)),
})
export type Sections = z.output<typeof sectionsSchema>

/** `bodyLine` is the line of the file where the body begins, which messages about mistakes need. */
export type ContentFile<Kind extends FileKind> = { front: Front<Kind>; body: string; bodyLine: number }

const FRONT_PATTERN = /^---\n([\s\S]*?)\n---\n/

/** Parses a file of `content/` into front matter and body. Reports mistakes by `mistake` and then returns null. */
export function parseContentFile<Kind extends FileKind>(
  kind: Kind,
  text: string,
  mistake: (line: number, what: string) => void,
): ContentFile<Kind> | null {
  const match = FRONT_PATTERN.exec(text)
  if (match === null) {
    mistake(1, 'it must begin with front matter between two lines of ---')
    return null
  }
  const parsed = frontSchemas[kind].safeParse(parseYaml(match[1] ?? '', (what) => mistake(2, what)))
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) mistake(2, `${path.join('.') || 'front matter'}: ${message}`)
    return null
  }
  const body = text.slice(match[0].length)
  // The schema was chosen by `kind`, which TypeScript cannot follow through the index.
  return { front: parsed.data as Front<Kind>, body, bodyLine: match[0].split('\n').length }
}

/** Parses YAML, in which dates stay strings. Reports a mistake by `mistake` and then returns undefined. */
export function parseYaml(text: string, mistake: (what: string) => void): unknown {
  try {
    return parse(text)
  } catch (error) {
    mistake(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    return undefined
  }
}
