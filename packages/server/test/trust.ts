/** The number of generated cases: the first in `npm test`, the second in `npm run trust`. */
export const cases = (short: number, long: number) =>
  process.env.SWITCHROOM_TRUST === '1' ? long : short
