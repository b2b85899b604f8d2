import { z } from 'zod'

/** Builds the schema of a list in a query, written as `a,b,c`, as a repeated parameter, or both. */
export function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.preprocess<unknown, z.ZodOptional<z.ZodArray<Item>>, z.input<Item>[] | undefined>(
    (value: unknown) => (isTexts(value) ? [value].flat().flatMap(splitList) : value),
    z.array(item).max(max).optional(),
  )
}

function isTexts(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string'))
}

const splitList = (text: string): string[] => text.split(',').filter((part) => part !== '')
