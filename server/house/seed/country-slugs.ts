/** Other marketplaces' names of countries, if not just ours without spaces. The first name becomes our slug. */
const FIELD_NAMES: Readonly<Record<number, readonly string[]>> = {
  12: ['usavirtual'],
  16: ['england', 'uk', 'greatbritain'],
  18: ['drcongo', 'dcongo', 'democraticrepublicofthecongo'],
  20: ['macau', 'macao'],
  27: ['ivorycoast', 'cotedivoire'],
  62: ['turkey', 'turkiye'],
  63: ['czech', 'czechrepublic', 'czechia'],
  79: ['papuanewguinea', 'papua'],
  91: ['easttimor', 'timorleste'],
  95: ['uae', 'unitedarabemirates'],
  101: ['salvador', 'elsalvador'],
  104: ['tit', 'trinidadandtobago'],
  106: ['swaziland', 'eswatini'],
  108: ['bosnia', 'bosniaandherzegovina', 'bih'],
  109: ['dominicana', 'dominicanrepublic'],
  150: ['congo', 'republicofthecongo'],
  170: ['caymanislands', 'cayman'],
  187: ['usa', 'usaphysical', 'unitedstates'],
}

export type Country = { id: number; name: string; dial: string }

export type CountrySlugs = {
  /** Finds a country by the spelling of other marketplaces: `South-Africa` or `southafrica`, or by its id. */
  find(written: string): number | undefined
  slugOf(id: number): string | undefined
}

/** Builds the table of country slugs. `own` maps slugs that the operator defines to country ids. */
export function countrySlugs(countries: readonly Country[], own: Readonly<Record<string, number>> = {}): CountrySlugs {
  const ids = new Map<string, number>()
  const slugs = new Map<number, string>()
  for (const { id, name } of countries) {
    const names = FIELD_NAMES[id] ?? [plain(name)]
    slugs.set(id, names[0] ?? plain(name))
    for (const each of [...names, plain(name), String(id)]) if (!ids.has(each)) ids.set(each, id)
  }
  for (const [written, id] of Object.entries(own)) {
    ids.set(plain(written), id)
    slugs.set(id, written)
  }
  return { find: (written) => ids.get(plain(written)), slugOf: (id) => slugs.get(id) }
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
