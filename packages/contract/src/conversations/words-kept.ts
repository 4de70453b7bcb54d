/**
 * How the words and digits of an account's calls are kept:
 * - `keep`: all of it
 * - `mask`: without its digits and e-mail addresses
 * - `leave_out`: nothing; times, confidence and who spoke remain
 */
export const WORDS_KEPT = ['keep', 'mask', 'leave_out'] as const
