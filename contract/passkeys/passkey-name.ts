/** This module imports no zod, so that pages need not load zod. */
export const PASSKEY_NAME_MAX_LENGTH = 60
