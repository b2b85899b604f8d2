const NAME = '{name}'
/** Before a name that is not known, as in "Hello, {name}!". */
const UNNAMED = /,?[ \t]*\{name\}/g
/** A name is what its owner typed: it must not become a link or a heading. */
const MARKS = /[\\`*_[\]<>~#|]/g

/** A ready answer with the buyer's name in it. */
export function fillAnswer(text: string, name: string): string {
  const known = name.replaceAll(/\s+/g, ' ').trim()
  if (known === '') return text.replaceAll(UNNAMED, '')
  return text.replaceAll(
    NAME,
    known.replaceAll(MARKS, (mark) => `\\${mark}`),
  )
}
