/** Error for a file that is not a Google service key. */
export const SERVICE_KEY_INVALID = 'Invalid service key file, could not parse as JSON.'
