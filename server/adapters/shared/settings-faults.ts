import type { z } from 'zod'

/** Returns a sentence for each bad field, beginning with its name. No sentence contains a secret. */
export function faultsOf(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${[...issue.path, key].join('.')}: there is no such setting`)
    }
    const says = issue.message.endsWith('received undefined') ? 'is missing' : issue.message
    return [`${issue.path.join('.') || 'settings'}: ${says}`]
  })
}
