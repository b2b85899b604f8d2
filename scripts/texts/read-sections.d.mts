export type Texts = { [key: string]: string | Texts }

export function readSections(language: string, extents: ('first' | 'later')[]): Promise<Record<string, Texts>>
