const two = (n: number) => String(n).padStart(2, '0')

/** `4:05`, `1:04:05`. */
export function elapsedText(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
  return s < 3_600 ? rest.replace(/^0/, '') : `${Math.floor(s / 3_600)}:${rest}`
}
