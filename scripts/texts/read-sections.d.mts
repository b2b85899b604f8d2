export type Texts = { [key: string]: string | Texts }

type Extents = ('initial' | 'lazy')[]

export function listLanguages(): Promise<string[]>
export function readSections(language: string, extents: Extents): Promise<Record<string, Texts>>
export function readWholeSections(language: string, extents: Extents): Promise<Record<string, Texts>>
