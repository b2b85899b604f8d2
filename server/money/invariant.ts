/**
 * Something that must hold of the books, as SQL. `counted` counts what is looked at. `problems` returns one row
 * `problem` for each violation, in words, with amounts in micros; no row when all is well.
 */
export type Invariant = { name: string; counted: string; problems: string }
