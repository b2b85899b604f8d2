/** The area codes of dialling code +1 by country; all others belong to the United States. Source: https://nanpa.com */
const AREAS_OF_1: Readonly<Record<string, string>> = {
  AG: '268',
  AI: '264',
  AS: '684',
  BB: '246',
  BM: '441',
  BS: '242',
  DM: '767',
  DO: '809 829 849',
  GD: '473',
  GU: '671',
  JM: '658 876',
  KN: '869',
  KY: '345',
  LC: '758',
  MP: '670',
  MS: '664',
  PR: '787 939',
  SX: '721',
  TC: '649',
  TT: '868',
  VC: '784',
  VG: '284',
  VI: '340',
  CA:
    '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450 460 468 474 506 514 ' +
    '519 548 579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942',
}
const COUNTRY_OF_AREA = new Map(
  Object.entries(AREAS_OF_1).flatMap(([iso2, areas]) => areas.split(' ').map((area) => [area, iso2] as const)),
)

/** `shared` means that the country has this dialling code, but the phone number is in another country's range. */
export type Dialled = 'own' | 'shared' | 'foreign'

/** Judges whether a phone number (digits only, with the dialling code) belongs to a country. */
export function judgeDialling(phone: string, country: { iso2: string; dial: string }): Dialled {
  const { iso2, dial } = country
  if (!phone.startsWith(dial)) return 'foreign'
  // Kazakhstan has the ranges 6 and 7 of dialling code 7, which it shares with Russia.
  if (dial === '7') return /^7[67]/.test(phone) === (iso2 === 'KZ') ? 'own' : 'shared'
  if (dial === '1') return (COUNTRY_OF_AREA.get(phone.slice(1, 4)) ?? 'US') === iso2 ? 'own' : 'shared'
  // Countries that share another dialling code are not told apart (Jersey and the United Kingdom, for example).
  return 'own'
}
