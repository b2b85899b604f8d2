/** A module without zod, so that pages need not load it. */
export const SOUNDS = ['bell', 'drop', 'wood'] as const
