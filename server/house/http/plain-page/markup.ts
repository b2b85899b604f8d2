/** HTML that is already escaped. Only `markup` creates it. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | readonly Markup[] | string | bigint

export function markup(literals: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(literals.map((literal, place) => literal + write(pieces[place])).join(''))
}

function write(piece: Piece | undefined): string {
  if (piece === undefined) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map((each) => each.text).join('')
  return String(piece).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
