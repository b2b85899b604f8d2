/** A module without zod, so that pages need not load it. */
export const PASSKEY_NAME_MAX_LENGTH = 60
