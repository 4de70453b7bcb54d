/** File name of a recording, as in the platform's own console. */
export const nameOf = (call_sid: string, { type }: Pick<Blob, 'type'>) =>
  `callid-${call_sid}.${type === 'audio/wav' ? 'wav' : 'mp3'}`
