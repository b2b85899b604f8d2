export type Texts = { [key: string]: string | Texts }

export function readSections(language: string, extents: ('initial' | 'lazy')[]): Promise<Record<string, Texts>>
