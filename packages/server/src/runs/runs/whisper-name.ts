/** The name of a command and of its data. It is also a speech vendor's, which only files of that name may say. */
export const WHISPER = 'whisper'
