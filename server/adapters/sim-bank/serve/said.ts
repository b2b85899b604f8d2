/** An answer in the words of the protocol. A bigint is written as a number. */
export type Said = { status: 'SUCCESS' | 'ERROR' | 'NO_NUMBERS'; [field: string]: unknown }
