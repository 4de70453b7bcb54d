export const RECORD_FORMATS = ['mp3', 'wav'] as const
