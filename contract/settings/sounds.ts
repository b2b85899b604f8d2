/** This module imports no zod, so that pages need not load zod. */
export const SOUNDS = ['bell', 'drop', 'wood'] as const
