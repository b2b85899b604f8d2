import type { Entry } from '#contract/past/entries.ts'

/** Returns the text key of what was bought. */
export function purposeOf(kind: Entry['kind'], { preorder_id: preorder }: NonNullable<Entry['subject']>) {
  if (kind === 'rental' || kind === 'preorder') return `purpose.${kind}` as const
  return preorder === null ? 'purpose.activation' : 'purpose.fromPreorder'
}
