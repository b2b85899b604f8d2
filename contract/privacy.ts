/** Within this time somebody may change their mind. */
export const DELETION_DAYS = 14
/** How long the file of an export can be fetched. */
export const EXPORT_DAYS = 7
